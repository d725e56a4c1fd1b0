import { sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { AddressList } from '../../platform/http/listing/addresses.ts'
import { slugOf } from './files.ts'
import { isListed, isOfCommunes } from './queries.ts'
import { actsList } from './reading.ts'
import type { Subject } from './subjects.ts'

/**
 * Acts that search engines, feeds and open data get: in force or corrected, and about nobody. What names a person is on line as
 * the law wants, but is not spread further.
 */
export const isOpen = sql<boolean>`(${isListed} and ac.state <> 'occulted' and not ac.individual)`

export const openActsList = { ...actsList, name: 'open acts', where: isOpen }

/** True for an act that search engines may show. */
export const isOpenAct = ({ state, individual }: { state: string; individual: boolean }): boolean =>
  !individual && (state === 'published' || state === 'superseded')

type Addressed = Parameters<typeof slugOf>[0] & { id: string }

/** The last part of the address of the page of an act. */
export const addressOf = ({ id, title }: Addressed): string => `${id}-${slugOf({ title })}`

export const addressesOfActs = (communeIds: readonly string[] | null): AddressList => ({
  table: 'acts',
  from: sql`acts ac`,
  where: allOf(isOpen, communeIds !== null && isOfCommunes(communeIds)),
  at: sql`ac.published_at`,
  id: sql`ac.id`,
  named: { by: sql`r.title`, slugOf: (title, id) => addressOf({ id, title }) },
})

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
