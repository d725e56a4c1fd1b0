import { sql } from 'kysely'
import { ownIssuer } from '../../../platform/access/tokens.ts'
import { foldedEmail } from '../../../platform/access/users.ts'
import type { Database } from '../../../platform/database/connect.ts'

export const lifetimes = { sign_in: '15 minutes', operator: '30 minutes' }

/**
 * Inserts a challenge for the user who may sign in with this address: an enabled user of the service's own
 * issuer, else a user created by a claim who has no role. Runs the same statement whether or not there is
 * such a user, and does not store the address.
 */
export async function insertSignIn(
  tx: Database,
  { id, address, browserHash }: { id: string; address: string; browserHash: Buffer },
): Promise<void> {
  await sql`
    insert into email_challenges (id, purpose, user_id, browser_hash, expires_at)
    values (${id}, 'sign_in', (
        select id from users
        where ${foldedEmail} = ${address} and actif and (issuer = ${sql.lit(ownIssuer)} or (
          issuer is null and not exists (select from user_roles where user_id = users.id)))
        order by issuer is null, subject is distinct from ${address}, id limit 1),
      ${browserHash}, now() + ${lifetimes.sign_in}::interval)`.execute(tx)
}

export async function insertOperatorLink(
  tx: Database,
  { id, userId }: { id: string; userId: string },
): Promise<void> {
  await sql`
    insert into email_challenges (id, purpose, user_id, expires_at)
    values (${id}, 'operator', ${userId}, now() + ${lifetimes.operator}::interval)`.execute(tx)
}

export type MailOfChallenge = {
  email: string
  langue: 'fr' | 'en'
  purpose: 'sign_in' | 'confirmation' | 'address'
  address: string | null
}

/** Reads the data for a challenge's mail; null if it has no recipient, or is used or expired. */
export async function findMail(db: Database, id: string): Promise<MailOfChallenge | null> {
  const { rows } = await sql<MailOfChallenge>`
    select u.email, u.langue, c.purpose, c.address from email_challenges c join users u on u.id = c.user_id
    where c.id = ${id} and c.purpose <> 'operator' and ${isOpen} and u.actif and u.email is not null`.execute(
    db,
  )
  return rows[0] ?? null
}

/**
 * Uses up one of the five attempts of each challenge that this browser requested, and returns those that had one
 * left. Runs before the code is compared, so that concurrent requests get no additional attempts.
 */
export async function takeTries(db: Database, browserHash: Buffer): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update email_challenges c set wrong_codes = wrong_codes + 1
    where browser_hash = ${browserHash} and ${isOpen} returning id`.execute(db)
  return rows.map(({ id }) => id)
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
    where c.id = ${id} and purpose in ('sign_in', 'operator') and ${isOpen}`.execute(db)
  return rows[0] ?? null
}

/** Closes an open challenge. Of several concurrent calls, one gets the challenge. */
export async function closeChallenge(
  tx: Database,
  id: string,
): Promise<{ purpose: string; user_id: string | null } | null> {
  const { rows } = await sql<{ purpose: string; user_id: string | null }>`
    update email_challenges c set closed_at = now() where id = ${id} and ${isOpen}
    returning purpose, user_id`.execute(tx)
  return rows[0] ?? null
}

const isOpen = sql<boolean>`(c.closed_at is null and c.expires_at > now() and c.wrong_codes < 5)`

/** Marks the address as verified: the user has received its mail. */
export async function noteVerified(tx: Database, id: string): Promise<void> {
  await sql`
    update users set email_verified = true, last_seen_at = now() where id = ${id} and email is not null`.execute(
    tx,
  )
}
