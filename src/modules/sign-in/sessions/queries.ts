import { sql } from 'kysely'
import { isOpen } from '../../../platform/access/session-records.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { deletionOf } from '../../../platform/jobs/sweeps.ts'
import type { Device, SignInProgress } from '../schema.ts'

/** Lists a user's open sessions, most recently used first; at most 100, more than any user has. */
export async function listDevices(db: Database, userId: string, currentId: string | null): Promise<Device[]> {
  const { rows } = await sql<Device>`
    select id, method, network, browser, id is not distinct from ${currentId}::uuid as current, created_at, last_seen_at,
      expires_at
    from sessions where user_id = ${userId} and ${isOpen}
    order by last_seen_at desc, id desc limit 100`.execute(db)
  return rows
}

/** Returns the name and address of a user, to show whose session it is. */
export async function findNamed(db: Database, userId: string): Promise<SignInProgress['user']> {
  const { rows } = await sql<NonNullable<SignInProgress['user']>>`
    select id, nom, email from users where id = ${userId}`.execute(db)
  return rows[0] ?? null
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

/** Reads the data for the mail; null unless the user has proven to read the address. */
export async function findNewDevice(
  db: Database,
  sessionId: string,
): Promise<(NewDevice & { userId: string }) | null> {
  const { rows } = await sql<NewDevice & { userId: string }>`
    select s.id, u.id as "userId", u.email, u.langue, s.browser, s.network, s.created_at
    from sessions s join users u on u.id = s.user_id
    where s.id = ${sessionId} and u.email_verified and u.email is not null and u.actif`.execute(db)
  return rows[0] ?? null
}

/** Deletes sessions that ended or expired more than 30 days ago. */
export const deleteOldSessions = deletionOf(
  'sessions',
  sql`ended_at < now() - interval '30 days' or expires_at < now() - interval '30 days'`,
)

const isDayOld = sql`expires_at < now() - interval '1 day'`
export const deleteOldChallenges = deletionOf('email_challenges', isDayOld)
// Used passkey challenges and states: an expired one is refused without a lookup.
export const deleteUsedChallenges = deletionOf('used_passkey_challenges', isDayOld, { key: 'challenge' })
export const deleteOldStates = deletionOf('used_oidc_states', isDayOld, { key: 'state_hash' })

/** Deletes changes of address that nobody can undo any more. */
export const deleteFinalChanges = deletionOf('address_changes', sql`changed_at < now() - interval '72 hours'`)

/** Deletes ID tokens of ended sessions, which no sign-out needs. */
export const deleteOldIdTokens = deletionOf(
  'oidc_id_tokens',
  sql`session_id in (select id from sessions where not ${isOpen})`,
  { key: 'session_id' },
)

export async function countActiveSessions(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from sessions where expires_at > now() and ${isOpen}`.execute(db)
  return rows[0]?.count ?? 0
}
