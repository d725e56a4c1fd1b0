import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type { Retention } from '../../platform/module.ts'

/** Deletes old finished runs with their logs and items. */
export const deleteOldRuns: Retention['sweep'] = async (db, months, limit) => {
  const { rows } = await sql<{ id: string }>`
    select id from import_runs where finished_at < now() - make_interval(months => ${months}::int)
    order by finished_at limit ${limit}`.execute(db)
  const ids = rows.map(({ id }) => id)
  await deleteItemsOf(db, ids)
  const { numAffectedRows } = await sql`
    delete from import_runs where id = any(array(
      select id from import_runs where id = any(${ids}::uuid[]) for update skip locked))`.execute(db)
  return Number(numAffectedRows)
}

/** Runs whose items one statement deletes: at most ten thousand rows. */
const runsAtOnce = 10

/** Deletes the items of runs a few runs at a time, so that no statement takes long. */
export async function deleteItemsOf(db: Database, runIds: string[]): Promise<void> {
  for (let at = 0; at < runIds.length; at += runsAtOnce)
    await sql`
      delete from import_run_items where run_id = any(${runIds.slice(at, at + runsAtOnce)}::uuid[])`.execute(
      db,
    )
}
