import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { prepared } from '../../../platform/database/pools/prepared.ts'
import { publicationTables } from '../columns.ts'

/**
 * Reads picked publications in full, in the order given. Picking is planned each time, because the best plan
 * depends on the filters; this statement has one good plan, and planning it would cost more than running it.
 * A publication erased since it was picked is omitted.
 */
export async function readRows<Row>(
  db: Database,
  columns: RawBuilder<unknown>,
  picked: { id: string }[],
): Promise<Row[]> {
  if (picked.length === 0) return []
  const ids = picked.map(({ id }) => id)
  const { rows } = await sql<Row>`
    select ${columns} from unnest(${ids}::uuid[]) with ordinality picked (id, place)
    join ${publicationTables} on p.id = picked.id
    order by picked.place`.execute(prepared(db))
  return rows
}
