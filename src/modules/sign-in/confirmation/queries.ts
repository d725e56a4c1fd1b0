import { sql } from 'kysely'
import { ownIssuer } from '../../../platform/access/tokens.ts'
import type { Database } from '../../../platform/database/connect.ts'

/** Returns the address to mail a code to; null unless the account is of the service's own issuer. */
export async function findOwnAddress(db: Database, userId: string): Promise<string | null> {
  const { rows } = await sql<{ email: string | null }>`
    select email from users where id = ${userId} and issuer = ${sql.lit(ownIssuer)} and actif`.execute(db)
  return rows[0]?.email ?? null
}

type New = {
  id: string
  purpose: 'confirmation' | 'address'
  userId: string
  sessionId: string | null
  address?: string
}

/**
 * Inserts a challenge and closes the previous one, so that its code is no longer valid. Locks the user: of two
 * concurrent calls, the second closes the challenge of the first.
 */
export async function insertCodeChallenge(
  tx: Database,
  { id, purpose, userId, sessionId, address }: New,
): Promise<void> {
  await sql`select from users where id = ${userId} for no key update`.execute(tx)
  await sql`
    update email_challenges set closed_at = now()
    where user_id = ${userId} and purpose = ${purpose} and session_id is not distinct from ${sessionId}::uuid
      and closed_at is null`.execute(tx)
  await sql`
    insert into email_challenges (id, purpose, user_id, session_id, address, expires_at)
    values (${id}, ${purpose}, ${userId}, ${sessionId}, ${address ?? null}, now() + interval '15 minutes')`.execute(
    tx,
  )
}

/** Uses up one of the five attempts of the user's only open challenge; null if no attempt is left. */
export async function takeTry(
  db: Database,
  purpose: 'confirmation' | 'address',
  userId: string,
  sessionId: string | null,
): Promise<{ id: string; address: string | null } | null> {
  const { rows } = await sql<{ id: string; address: string | null }>`
    update email_challenges set wrong_codes = wrong_codes + 1
    where user_id = ${userId} and purpose = ${purpose} and session_id is not distinct from ${sessionId}::uuid
      and closed_at is null and expires_at > now() and wrong_codes < 5
    returning id, address`.execute(db)
  return rows[0] ?? null
}

/** Closes all challenges of a user, whose row the caller has locked for update: inserts wait for that lock. */
export async function closeChallengesOf(tx: Database, userId: string): Promise<void> {
  await sql`update email_challenges set closed_at = now() where user_id = ${userId} and closed_at is null`.execute(
    tx,
  )
}

/** Closes a challenge after the right code. Of several concurrent calls, one returns true. */
export async function closeAnswered(tx: Database, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update email_challenges set closed_at = now(), wrong_codes = wrong_codes - 1
    where id = ${id} and closed_at is null`.execute(tx)
  return numAffectedRows === 1n
}
