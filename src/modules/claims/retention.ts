import { sql } from 'kysely'
import type { Retention } from '../../platform/module.ts'

/** Removes everything personal but the accounts from decided or expired claims. */
export const pseudonymiseClaims: Retention['sweep'] = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    update claims
    set nom = null, email = null, telephone = null, reason = null, message = '', pseudonymised_at = now()
    where id = any(array(
      select id from claims
      where ended_at < now() - make_interval(months => ${months}::int) and pseudonymised_at is null
      order by ended_at limit ${limit} for no key update skip locked))`.execute(db)
  return Number(numAffectedRows)
}
