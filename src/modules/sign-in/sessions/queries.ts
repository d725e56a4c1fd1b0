import { sql } from 'kysely'
import { isOpen } from '../../../platform/access/session-records.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import type { Device } from '../schema.ts'

/** Lists a user's open sessions, most recently used first; at most 100, more than any user has. */
export async function listDevices(db: Database, userId: string, currentId: string | null): Promise<Device[]> {
  const { rows } = await sql<Device>`
    select id, method, network, browser, id is not distinct from ${currentId}::uuid as current, created_at, last_seen_at,
      expires_at
    from sessions where user_id = ${userId} and ${isOpen}
    order by last_seen_at desc, id desc limit 100`.execute(db)
  return rows
}

/** Locks the user before a change to their sessions; false if there is no such user. */
export async function lockUser(tx: Database, id: string): Promise<boolean> {
  const { rows } = await sql`select from users where id = ${id} for no key update`.execute(tx)
  return rows.length > 0
}

export async function isOpenSessionOf(db: Database, id: string, userId: string): Promise<boolean> {
  const { rows } = await sql`
    select from sessions where id = ${id} and user_id = ${userId} and ${isOpen}`.execute(db)
  return rows.length > 0
}

export type NewDevice = {
  id: string
  email: string
  langue: 'fr' | 'en'
  browser: string | null
  network: string | null
  created_at: Date
}

export async function findNewDevice(db: Database, sessionId: string): Promise<NewDevice | null> {
  const { rows } = await sql<NewDevice>`
    select s.id, u.email, u.langue, s.browser, s.network, s.created_at
    from sessions s join users u on u.id = s.user_id
    where s.id = ${sessionId} and u.email is not null and u.actif`.execute(db)
  return rows[0] ?? null
}

/** Deletes sessions that ended or expired more than 30 days ago. */
export async function deleteOldSessions(db: Database, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from sessions where id = any(array(
      select id from sessions
      where ended_at < now() - interval '30 days' or expires_at < now() - interval '30 days'
      limit ${limit} for update skip locked))`.execute(unprepared(db))
  return Number(numAffectedRows)
}

/** Deletes challenges that expired more than a day ago. */
export async function deleteOldChallenges(db: Database, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from email_challenges where id = any(array(
      select id from email_challenges where expires_at < now() - interval '1 day'
      limit ${limit} for update skip locked))`.execute(unprepared(db))
  return Number(numAffectedRows)
}

/** Deletes used passkey challenges after they expire: an expired one is refused without a lookup. */
export async function deleteUsedChallenges(db: Database, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from used_passkey_challenges where challenge = any(array(
      select challenge from used_passkey_challenges where expires_at < now() - interval '1 day'
      limit ${limit} for update skip locked))`.execute(unprepared(db))
  return Number(numAffectedRows)
}

/** Deletes ID tokens of ended sessions, which no sign-out needs. */
export async function deleteOldIdTokens(db: Database, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from oidc_id_tokens where session_id = any(array(
      select t.session_id from oidc_id_tokens t join sessions s on s.id = t.session_id
      where s.ended_at is not null or s.expires_at < now()
      limit ${limit} for update of t skip locked))`.execute(unprepared(db))
  return Number(numAffectedRows)
}

/** Deletes used states after they expire: an expired attempt is refused without a lookup. */
export async function deleteOldStates(db: Database, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from used_oidc_states where state_hash = any(array(
      select state_hash from used_oidc_states where expires_at < now() - interval '1 day'
      limit ${limit} for update skip locked))`.execute(unprepared(db))
  return Number(numAffectedRows)
}

export async function countActiveSessions(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from sessions where expires_at > now() and ${isOpen}`.execute(db)
  return rows[0]?.count ?? 0
}
