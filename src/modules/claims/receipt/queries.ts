import { sql } from 'kysely'
import { foldedEmail } from '../../../platform/access/users.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { deferred } from '../../../platform/database/pools/prepared.ts'
import { foldMailAddress } from '../../../platform/formats/mail-address.ts'
import { type ClaimRow, expiry } from '../queries.ts'
import type { ReceiptRow } from './mail.ts'

const perDay = 3

/** Condition: claim `c` is pending, its claimant `u` has a verified address or has typed one, and it has a reference to quote. */
const isToldTo = sql<boolean>`(
  c.status = 'pending' and c.reference is not null and (c.email is not null or u.email is not null and u.email_verified))`

/**
 * Inserts the receipt of a claim that has just been made. Anybody may type the address of a stranger: such an address gets one an
 * hour and three a day. Returns false for a claim that has none.
 */
export async function insertReceipt(
  tx: Database,
  { id, email }: Pick<ClaimRow, 'id' | 'email'>,
): Promise<boolean> {
  const folded = email === null ? null : foldMailAddress(email)
  if (folded !== null)
    await sql`select pg_advisory_xact_lock(hashtextextended('parvis claim receipts to ' || ${folded}, 0))`.execute(
      deferred(tx),
    )
  const { rows } = await sql`
    insert into claim_receipts (id)
    select c.id from claims c left join users u on u.id = c.user_id
    cross join (
      select count(*) as in_day, count(*) filter (where sent.created_at > now() - interval '1 hour') as in_hour
      from claims join claim_receipts sent on sent.id = claims.id
      where claims.email is not null and ${foldedEmail} = ${folded} and claims.created_at > now() - interval '1 day') before
    where c.id = ${id} and ${isToldTo} and before.in_hour = 0 and before.in_day < ${sql.lit(perDay)}
    returning id`.execute(tx)
  return rows.length > 0
}

/** Returns the data for a receipt; null if the claim waits no longer. */
export async function findReceipt(db: Database, id: string, ttlDays: number): Promise<ReceiptRow | null> {
  const { rows } = await sql<ReceiptRow>`
    select c.id, c.nom, c.reference, coalesce(c.email, u.email) as address, coalesce(u.langue, 'fr') as langue,
      case when r.claim_id is null then a.nom end as acteur_nom, ${expiry(ttlDays)} as expires_at
    from claims c join acteurs a on a.id = c.acteur_id
    left join registrations r on r.claim_id = c.id and r.acteur_id = c.acteur_id
    left join users u on u.id = c.user_id
    where c.id = ${id} and ${isToldTo}`.execute(db)
  return rows[0] ?? null
}
