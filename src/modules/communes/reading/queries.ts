import { sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { isUuid } from '../../../platform/uuid.ts'
import { Commune, CommuneListed } from '../schema.ts'
import { conditionsOf, usualOrder } from '../search.ts'
import type { CommunesQuery } from './schema.ts'

export async function listCommunes(
  db: Database,
  query: CommunesQuery,
  { limit, offset }: Paging,
): Promise<CommuneListed[]> {
  const { rows } = await sql<CommuneListed>`
    select ${columnList(CommuneListed.properties)} from communes where ${allOf(...conditionsOf(query))}
    order by ${usualOrder(query)} limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Whatever has the form of an id is read as one. */
export async function findCommune(db: Database, slugOrId: string): Promise<Commune | null> {
  const isIt = isUuid(slugOrId) ? sql`id = ${slugOrId}` : sql`slug = ${slugOrId}`
  const { rows } = await sql<Commune>`
    select ${columnList(Commune.properties)} from communes where ${isIt}`.execute(db)
  return rows[0] ?? null
}
