import { sql } from 'kysely'
import { type AuditedKind, recordAudits } from '../audit/record.ts'
import type { Database } from '../database/connect.ts'
import { uuidv7 } from '../formats/uuid.ts'
import type { Caller } from './caller.ts'
import { digestOfValue, newCookieValue } from './cookies.ts'
import { type Session, type SessionMethod, sessionTimes } from './sessions.ts'

/** The session as an audited record. */
export const auditedSession = {
  entity: 'session',
  personal: ['network', 'browser'],
} satisfies AuditedKind

/** Network and browser of a sign-in. */
export type Client = { network: string | null; browser: string | null; deviceHash: Buffer | null }

type NewSession = { userId: string; method: SessionMethod; hasShownFactor: boolean; client: Client }

/** Inserts a session, confirmed by the sign-in, and returns its cookie value. */
export async function insertSession(
  tx: Database,
  caller: Caller,
  { userId, method, hasShownFactor, client }: NewSession,
): Promise<{ id: string; value: string }> {
  const id = uuidv7()
  const value = newCookieValue()
  const { network, browser, deviceHash } = client
  await sql`
    insert into sessions (id, user_id, token_hash, method, factor_at, confirmed_until, network, browser, device_hash,
      expires_at)
    values (${id}, ${userId}, ${digestOfValue(value)}, ${method}, case when ${hasShownFactor} then now() end,
      now() + ${sessionTimes.confirmed}::interval, ${network}, ${browser}, ${deviceHash},
      now() + ${sessionTimes.absolute}::interval)`.execute(tx)
  const after = { user_id: userId, method }
  await recordAudits(tx, caller, [
    { action: 'session.create', kind: auditedSession, entityId: id, before: null, after },
  ])
  return { id, value }
}

export type EndReason =
  | 'signed_out'
  | 'replaced'
  | 'others'
  | 'revoked'
  | 'disabled'
  | 'administrator'
  | 'factors_reset'
  | 'address_undone'
  | 'too_many_failures'

/** Ends a session if it is open. Returns false if it was not. */
export async function endSession(
  tx: Database,
  caller: Caller,
  id: string,
  reason: EndReason,
): Promise<boolean> {
  const { rows } = await sql<Ended>`
    update sessions set ended_at = now() where id = ${id} and ${isOpen} returning id, user_id`.execute(tx)
  await recordEnds(tx, caller, rows, reason)
  return rows.length > 0
}

/**
 * Ends every open session of a user except `exceptId`, and invalidates pending sign-in mails. The caller has
 * locked the user's row, so that no sign-in completes concurrently. Returns how many sessions ended.
 */
export async function endSessionsOf(
  tx: Database,
  caller: Caller,
  userId: string,
  reason: EndReason,
  exceptId: string | null = null,
): Promise<number> {
  const { rows } = await sql<Ended>`
    update sessions set ended_at = now()
    where user_id = ${userId} and ${isOpen} and id is distinct from ${exceptId}::uuid
    returning id, user_id`.execute(tx)
  await sql`
    update email_challenges set closed_at = now()
    where user_id = ${userId} and closed_at is null
      and (session_id is null or session_id is distinct from ${exceptId}::uuid)`.execute(tx)
  await recordEnds(tx, caller, rows, reason)
  return rows.length
}

/** Neither ended nor expired; same conditions as the lookup in `sessions.ts`. */
export const isOpen = sql<boolean>`
  (ended_at is null and expires_at > now() and last_seen_at > now() - ${sql.lit(sessionTimes.idle)}::interval)`

type Ended = { id: string; user_id: string }

function recordEnds(tx: Database, caller: Caller, ended: Ended[], reason: EndReason): Promise<void> {
  const changes = ended.map(({ id, user_id }) => ({
    action: 'session.end',
    kind: auditedSession,
    entityId: id,
    before: null,
    after: { user_id, reason },
  }))
  return recordAudits(tx, caller, changes)
}

/**
 * Replaces the cookie value when the status of a session rises. The former value ends immediately, because it
 * must not get the new status. Returns null, and changes nothing, if the request's value is not the current one.
 */
export async function rotateSession(tx: Database, { id, hash }: Session): Promise<string | null> {
  const value = newCookieValue()
  const { numAffectedRows } = await sql`
    update sessions set token_hash = ${digestOfValue(value)}, former_hash = null, former_until = null
    where id = ${id} and token_hash = ${hash}`.execute(tx)
  return numAffectedRows === 1n ? value : null
}

/**
 * Confirms a session for ten minutes and replaces its cookie value; the former value stays valid for 30 s,
 * for requests of other tabs. Returns null, without a new value, if a concurrent confirmation has just
 * replaced it.
 */
export async function confirmSession(
  tx: Database,
  { id, hash }: Pick<Session, 'id' | 'hash'>,
): Promise<string | null> {
  const value = newCookieValue()
  const { numAffectedRows } = await sql`
    update sessions set token_hash = ${digestOfValue(value)}, former_hash = token_hash,
      former_until = now() + ${sessionTimes.former}::interval, failures = 0,
      confirmed_until = now() + ${sessionTimes.confirmed}::interval
    where id = ${id} and token_hash = ${hash}`.execute(tx)
  if (numAffectedRows === 1n) return value
  await sql`
    update sessions set confirmed_until = now() + ${sessionTimes.confirmed}::interval, failures = 0
    where id = ${id}`.execute(tx)
  return null
}
