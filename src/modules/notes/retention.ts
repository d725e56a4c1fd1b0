import { sql } from 'kysely'
import type { Retention } from '../../platform/module.ts'

/** Deletes old notes. */
export const deleteOldNotes: Retention['sweep'] = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    delete from notes
    where id = any(array(
      select id from notes where created_at < now() - make_interval(months => ${months}::int)
      order by created_at limit ${limit} for update skip locked))`.execute(db)
  return Number(numAffectedRows)
}
