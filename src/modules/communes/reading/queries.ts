import { sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { beginsWord } from '../../../platform/database/search.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { Commune, CommuneListed } from '../schema.ts'
import type { CommunesQuery } from './schema.ts'

export async function listCommunes(
  db: Database,
  { q, departement }: CommunesQuery,
  { limit, offset }: Paging,
): Promise<CommuneListed[]> {
  const asked = allOf(
    departement !== undefined && sql`departement = ${departement}`,
    q !== undefined && beginsWord(q),
  )
  const { rows } = await sql<CommuneListed>`
    select ${columnList(CommuneListed.properties)} from communes where ${asked}
    order by sort_name, id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function findCommuneBySlug(db: Database, slug: string): Promise<Commune | null> {
  const { rows } = await sql<Commune>`
    select ${columnList(Commune.properties)} from communes where slug = ${slug}`.execute(db)
  return rows[0] ?? null
}
