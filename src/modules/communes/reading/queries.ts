import { sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { isUuid } from '../../../platform/formats/uuid.ts'
import type { Position } from '../../../platform/http/listing/cursor.ts'
import type { Paging } from '../../../platform/http/listing/paging.ts'
import { Commune, CommuneListed } from '../schema.ts'
import { conditionsOf, defaultOrder, hasNear, type Precision } from '../search.ts'
import type { CommunesQuery } from './schema.ts'

export async function listCommunes(
  db: Database,
  query: CommunesQuery,
  { limit, offset }: Paging,
): Promise<CommuneListed[]> {
  const list = async (precision: Precision, limit: number, offset: number) => {
    const chosen = allOf(...conditionsOf(query, precision))
    const { rows } = await sql<CommuneListed>`
      select ${columnList(CommuneListed.properties)} from communes where ${chosen}
      order by ${defaultOrder(query)} limit ${limit} offset ${offset}`.execute(db)
    return rows
  }
  const rows = await list('exact', limit, offset)
  if (rows.length > 0 || !hasNear(query)) return rows
  // The page is past the end, but the search has exact matches.
  if (offset > 0 && (await list('exact', 1, 0)).length > 0) return rows
  return list('near', limit, offset)
}

/** Lists communes after a cursor position, in the order of their last change. */
export async function listUpdatedCommunes(
  db: Database,
  query: CommunesQuery,
  { at, id }: Position,
  limit: number,
): Promise<(CommuneListed & { updated_at: Date })[]> {
  const { rows } = await sql<CommuneListed & { updated_at: Date }>`
    select ${columnList(CommuneListed.properties)}, updated_at from communes
    where ${allOf(sql`(updated_at, id) > (${at}::timestamptz, ${id}::uuid)`, ...conditionsOf(query, 'exact'))}
    order by updated_at, id limit ${limit}`.execute(db)
  return rows
}

/** Finds a commune by id if the text is a UUID, else by slug. */
export async function findCommune(db: Database, slugOrId: string): Promise<Commune | null> {
  const isIt = isUuid(slugOrId) ? sql`id = ${slugOrId}` : sql`slug = ${slugOrId}`
  const { rows } = await sql<Commune>`
    select ${columnList(Commune.properties)} from communes where ${isIt}`.execute(db)
  return rows[0] ?? null
}
