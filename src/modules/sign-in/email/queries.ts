import { sql } from 'kysely'
import { foldedEmail } from '../../../platform/access/users.ts'
import type { Database } from '../../../platform/database/connect.ts'

export const lifetimes = { sign_in: '15 minutes', operator: '30 minutes' }

/**
 * Inserts a challenge for the user whom this address lets in: an enabled one of the own issuer, else one that was made
 * by a claim and has no role. One statement whether there is such a user or not; the address itself is not kept.
 */
export async function insertSignIn(
  tx: Database,
  { id, address, browserHash }: { id: string; address: string; browserHash: Buffer },
): Promise<void> {
  await sql`
    insert into email_challenges (id, purpose, user_id, browser_hash, expires_at)
    values (${id}, 'sign_in', (
        select id from users
        where ${foldedEmail} = ${address} and actif and (issuer = 'parvis' or (
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

/** Reads what the mail of a challenge needs; null if nobody is to get it, or the challenge was used or has expired. */
export async function findMail(db: Database, id: string): Promise<MailOfChallenge | null> {
  const { rows } = await sql<MailOfChallenge>`
    select u.email, u.langue, c.purpose, c.address from email_challenges c join users u on u.id = c.user_id
    where c.id = ${id} and c.purpose <> 'operator' and ${isOpen} and u.actif and u.email is not null`.execute(
    db,
  )
  return rows[0] ?? null
}

/**
 * Takes one of the five tries of the challenge that this browser asked for; null if it has none left. Taken before the
 * code is compared, so that many requests at once get no more of them.
 */
export async function takeTry(db: Database, browserHash: Buffer): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    update email_challenges c set wrong_codes = wrong_codes + 1
    where browser_hash = ${browserHash} and ${isOpen} returning id`.execute(db)
  return rows[0]?.id ?? null
}

/** Takes it back: the code was right. */
export async function giveBackTry(db: Database, id: string): Promise<void> {
  await sql`update email_challenges set wrong_codes = wrong_codes - 1 where id = ${id}`.execute(db)
}

/** Whom an open challenge lets in. */
export async function findUserOfChallenge(db: Database, id: string): Promise<string | null> {
  const { rows } = await sql<{ user_id: string | null }>`
    select user_id from email_challenges c
    where id = ${id} and purpose in ('sign_in', 'operator') and ${isOpen}`.execute(db)
  return rows[0]?.user_id ?? null
}

/** Closes an open challenge. Of several at once, one is told that it did. */
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

/** The address has been read by whoever signs in. */
export async function noteVerified(tx: Database, id: string): Promise<void> {
  await sql`
    update users set email_verified = true, last_seen_at = now() where id = ${id} and email is not null`.execute(
    tx,
  )
}
