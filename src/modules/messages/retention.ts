import { sql } from 'kysely'
import type { Retention } from '../../platform/module.ts'

/** Deletes old closed threads with their messages. */
export const deleteClosedThreads: Retention['sweep'] = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    delete from support_threads
    where id = any(array(
      select id from support_threads
      where closed_at < now() - make_interval(months => ${months}::int)
      order by closed_at limit ${limit} for update skip locked))`.execute(db)
  return Number(numAffectedRows)
}
