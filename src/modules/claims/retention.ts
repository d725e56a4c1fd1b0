import { sql } from 'kysely'
import type { Retention } from '../../platform/module.ts'

/** Pseudonymises decided and expired claims: keeps only the account ids, deletes their questions. */
export const pseudonymiseClaims: Retention['sweep'] = async (db, months, limit) => {
  const { numAffectedRows } = await sql`
    with old as (
      select id from claims
      where ended_at < now() - make_interval(months => ${months}::int) and pseudonymised_at is null
      order by ended_at limit ${limit} for no key update skip locked),
    asked as (delete from claim_questions where claim_id in (select id from old))
    update claims
    set nom = null, email = null, telephone = null, reference = null, reason = null, message = '', pseudonymised_at = now()
    where id in (select id from old)`.execute(db)
  return Number(numAffectedRows)
}
