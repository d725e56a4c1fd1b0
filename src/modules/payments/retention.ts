import { sql } from 'kysely'
import type { Retention } from '../../platform/module.ts'

/** Deletes the payload of old finished events; keeps their arrival and result. */
export const emptyEvents: Retention['sweep'] = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    update payment_events set fields = null
    where id = any(array(
      select id from payment_events
      where fields is not null and status <> 'received' and received_at < now() - make_interval(months => ${months}::int)
      order by received_at limit ${limit} for no key update skip locked))`.execute(db)
  return Number(numAffectedRows)
}
