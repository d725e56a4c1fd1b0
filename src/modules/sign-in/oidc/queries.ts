import { sql } from 'kysely'
import { isOpen } from '../../../platform/access/session-records.ts'
import type { Database } from '../../../platform/database/connect.ts'

/** Uses up a state. Of several concurrent callbacks, one returns true. */
export async function spendState(db: Database, stateHash: Buffer, expiresAt: Date): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into used_oidc_states (state_hash, expires_at) values (${stateHash}, ${expiresAt})
    on conflict (state_hash) do nothing`.execute(db)
  return numAffectedRows === 1n
}

export async function findIssuer(db: Database, userId: string): Promise<string | null> {
  const { rows } = await sql<{ issuer: string | null }>`
    select issuer from users where id = ${userId}`.execute(db)
  return rows[0]?.issuer ?? null
}

export async function insertIdToken(tx: Database, sessionId: string, sealed: Buffer): Promise<void> {
  await sql`insert into oidc_id_tokens (session_id, id_token) values (${sessionId}, ${sealed})`.execute(tx)
}

/** Deletes the ID token of a session at sign-out, and returns it. */
export async function takeIdToken(tx: Database, sessionId: string): Promise<Buffer | null> {
  const { rows } = await sql<{ id_token: Buffer }>`
    delete from oidc_id_tokens where session_id = ${sessionId} returning id_token`.execute(tx)
  return rows[0]?.id_token ?? null
}

/** Returns the user of a session if it is open. */
export async function findOpenSessionUser(db: Database, sessionId: string): Promise<string | null> {
  const { rows } = await sql<{ user_id: string }>`
    select user_id from sessions where id = ${sessionId} and ${isOpen}`.execute(db)
  return rows[0]?.user_id ?? null
}
