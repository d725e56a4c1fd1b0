import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { isOpen } from './open.ts'
import { isOfCommunes } from './queries.ts'
import type { Subject } from './subjects.ts'

export type Deliberation = {
  id: string
  title: string
  number: string | null
  date: string
  subject: Subject
  nom: string
  siret: string
}

/** Lists deliberations that have all that SCDL demands, in the order of their ids. */
export async function listDeliberations(
  db: Database,
  communeIds: readonly string[] | null,
  after: string,
  limit: number,
): Promise<Deliberation[]> {
  const { rows } = await sql<Deliberation>`
    select ac.id, ac.title, ac.number, ac.date::text as date, ac.subject, a.nom, a.siret
    from acts ac join acteurs a on a.id = ac.acteur_id
    where ac.id > ${after} and ac.kind = 'deliberation' and ${isOpen} and ac.subject is not null and a.siret is not null
      and ${communeIds === null ? sql`true` : isOfCommunes(communeIds)}
    order by ac.id limit ${limit}`.execute(db)
  return rows
}
