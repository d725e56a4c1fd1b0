import { sql } from 'kysely'
import type { Retention } from '../../platform/module.ts'

/** Deletes old decisions, which stay in the audit log. */
export const deleteOldDecisions: Retention['sweep'] = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    delete from decisions
    where id = any(array(
      select id from decisions where decided_at < now() - make_interval(months => ${months}::int)
      order by decided_at limit ${limit} for update skip locked))`.execute(db)
  return Number(numAffectedRows)
}
