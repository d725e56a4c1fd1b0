import { sql } from 'kysely'
import type { Retention } from '../../platform/module.ts'

/** Deletes old finished runs with their logs. */
export const deleteOldRuns: Retention['sweep'] = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    delete from import_runs where id = any(array(
      select id from import_runs
      where finished_at < now() - make_interval(months => ${months}::int)
      order by finished_at limit ${limit} for update skip locked))`.execute(db)
  return Number(numAffectedRows)
}
