import { sql } from 'kysely'
import type { Retention } from '../../platform/module.ts'

/** Reports of publications that a decision has closed. */
export const deleteClosedReports: Retention['sweep'] = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    delete from publication_reports
    where id = any(array(
      select id from publication_reports
      where closed_at < now() - make_interval(months => ${months}::int)
      order by closed_at limit ${limit} for update skip locked))`.execute(db)
  return Number(numAffectedRows)
}
