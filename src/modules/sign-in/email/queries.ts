import { type RawBuilder, sql } from 'kysely'
import { ownIssuer } from '../../../platform/access/tokens.ts'
import { foldedEmail } from '../../../platform/access/users.ts'
import type { Database } from '../../../platform/database/connect.ts'

export const lifetimes = { sign_in: '15 minutes', operator: '30 minutes' }

/**
 * Inserts a challenge for the user who may sign in with this address: an enabled user of the service's own issuer whose
 * subject it is, else a user created by a claim who has no role. Runs the same statement whether or not there is such a
 * user, and stores the address only if there is.
 */
export async function insertSignIn(
  tx: Database,
  { id, address, browserHash }: { id: string; address: string; browserHash: Buffer },
): Promise<void> {
  await sql`
    with account as (
      select id from users u
      where actif and ${receives(sql`${address}`)}
        and (issuer is not null or not exists (select from user_roles where user_id = u.id))
      order by issuer is null, id limit 1)
    insert into email_challenges (id, purpose, user_id, address, browser_hash, expires_at)
    select ${id}, 'sign_in', account.id, case when account.id is not null then ${address} end,
      ${browserHash}, now() + ${lifetimes.sign_in}::interval
    from (select) one left join account on true`.execute(tx)
}

/**
 * True for a user `u` who signs in by mail to this address. The address that a token brought proves nothing: the own
 * issuer's users sign in by their subject only.
 */
const receives = (address: RawBuilder<unknown>) => sql<boolean>`(
  (u.issuer = ${sql.lit(ownIssuer)} and u.subject = ${address})
  or (u.issuer is null and lower(u.email collate "C") = ${address}))`

/** True if the challenge `c` still opens the account of `u`: its address may have changed since the mail. */
const opensAccount = sql<boolean>`(
  c.purpose = 'operator' or (c.purpose = 'sign_in' and ${receives(sql`c.address`)}))`

export async function insertOperatorLink(
  tx: Database,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  await sql`
    insert into email_challenges (id, purpose, user_id, expires_at)
    values (${id}, 'operator', ${userId}, now() + ${lifetimes.operator}::interval)`.execute(tx)
}

export type MailOfChallenge = {
  userId: string
  email: string
  langue: 'fr' | 'en'
  purpose: 'sign_in' | 'confirmation' | 'address'
  address: string | null
}

/** Reads the data for a challenge's mail; null if it has no recipient, or is used or expired. */
export async function findMail(db: Database, id: string): Promise<MailOfChallenge | null> {
  const { rows } = await sql<MailOfChallenge>`
    select u.id as "userId", u.email, u.langue, c.purpose, c.address
    from email_challenges c join users u on u.id = c.user_id
    where c.id = ${id} and c.purpose <> 'operator' and ${isOpen} and u.actif and u.email is not null
      and (c.purpose <> 'sign_in' or ${opensAccount})`.execute(db)
  return rows[0] ?? null
}

/**
 * Uses up one of the five attempts that this browser has for each address, and returns the challenges that had one left.
 * All challenges of an address share their attempts, so that another mail gives no additional ones. Runs before the code
 * is compared, so that concurrent requests get none either: each sees at least the attempts that its rows count.
 */
export async function takeTries(db: Database, browserHash: Buffer): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update email_challenges c set wrong_codes = 1 + greatest(c.wrong_codes, (
      select max(o.wrong_codes) from email_challenges o
      where o.browser_hash = c.browser_hash and o.address = c.address
        and o.closed_at is null and o.expires_at > now() and o.wrong_codes < 5))
    where browser_hash = ${browserHash} and ${isOpen} returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Lists the addresses whose open challenges these are: of a browser, or one by its id. */
export async function listChallenged(
  db: Database,
  { browserHash, id }: { browserHash: Buffer | null; id: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct address from email_challenges c
    where (browser_hash = ${browserHash} or id = ${id}) and address is not null and ${isOpen}`.execute(db)
  return rows.map(({ address }) => address)
}

/** Restores the attempts, because the code of one was right. */
export async function giveBackTries(db: Database, ids: string[]): Promise<void> {
  await sql`update email_challenges set wrong_codes = wrong_codes - 1 where id = any(${ids}::uuid[])`.execute(
    db,
  )
}

/** Returns the user of an open challenge, and the address of one who is not bound to an identity yet. */
export async function findUserOfChallenge(
  db: Database,
  id: string,
): Promise<{ id: string; unbound_email: string | null } | null> {
  const { rows } = await sql<{ id: string; unbound_email: string | null }>`
    select u.id, case when u.issuer is null then u.email end as unbound_email
    from email_challenges c join users u on u.id = c.user_id
    where c.id = ${id} and ${isOpen} and ${opensAccount}`.execute(db)
  return rows[0] ?? null
}

/**
 * Closes an open challenge of a user, whose row is locked, and returns the address that its mail was sent to; null for
 * an operator's link. Of several concurrent calls, one gets the challenge.
 */
export async function closeChallenge(
  tx: Database,
  id: string,
): Promise<{ purpose: string; address: string | null } | null> {
  const { rows } = await sql<{ purpose: string; address: string | null }>`
    update email_challenges c set closed_at = now() from users u
    where c.id = ${id} and u.id = c.user_id and ${isOpen} and ${opensAccount}
    returning c.purpose, c.address`.execute(tx)
  return rows[0] ?? null
}

const isOpen = sql<boolean>`(c.closed_at is null and c.expires_at > now() and c.wrong_codes < 5)`

/** Notes a sign-in. The address that its mail was sent to is verified, and no other: an operator's link has none. */
export async function noteSignIn(tx: Database, id: string, address: string | null): Promise<void> {
  await sql`
    update users set last_seen_at = now(), email_verified = email_verified or ${address}::text is not null,
      email = case when ${foldedEmail} = ${address} then email else coalesce(${address}, email) end
    where id = ${id}`.execute(tx)
}
