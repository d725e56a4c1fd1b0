import { sql } from 'kysely'
import { type AuditedKind, recordAudits } from '../audit/record.ts'
import type { Database } from '../database/connect.ts'
import { uuidv7 } from '../uuid.ts'
import type { Caller } from './caller.ts'
import { digestOfValue, newCookieValue } from './cookies.ts'
import { type SessionMethod, sessionTimes } from './sessions.ts'

/** A session, as the audit log knows it. */
export const auditedSession = {
  entity: 'session',
  personal: ['network', 'browser'],
} satisfies AuditedKind

/** Network and browser of a sign-in. */
export type Client = { network: string | null; browser: string | null; deviceHash: Buffer | null }

type NewSession = { userId: string; method: SessionMethod; hasShownFactor: boolean; client: Client }

/** Inserts a session and returns the value of its cookie. Signing in confirms too. */
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
  | 'too_many_failures'

/** Ends one session if it is open. Returns whether it was. */
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
 * Ends every open session of a user, save one if it is named, and withdraws the mails that would let them in. The
 * caller holds the user's row, so that no sign-in completes meanwhile. Returns how many sessions ended.
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

/** Neither ended nor expired; the words of the lookup in `sessions.ts`. */
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
 * Gives a session whose status rises a new cookie value. The former one ends at once, since it must not rise with it.
 */
export async function rotateSession(tx: Database, id: string): Promise<string> {
  const value = newCookieValue()
  await sql`
    update sessions set token_hash = ${digestOfValue(value)}, former_hash = null, former_until = null
    where id = ${id}`.execute(tx)
  return value
}

/**
 * Confirms a session for ten minutes and gives it a new cookie value; the former one works 30 s more, for requests of
 * other tabs. Null, and no new value, where another confirmation has just replaced the value: the browser keeps that one.
 */
export async function confirmSession(tx: Database, id: string, formerHash: Buffer): Promise<string | null> {
  const value = newCookieValue()
  const { numAffectedRows } = await sql`
    update sessions set token_hash = ${digestOfValue(value)}, former_hash = token_hash,
      former_until = now() + ${sessionTimes.former}::interval, failures = 0,
      confirmed_until = now() + ${sessionTimes.confirmed}::interval
    where id = ${id} and token_hash = ${formerHash}`.execute(tx)
  if (numAffectedRows === 1n) return value
  await sql`
    update sessions set confirmed_until = now() + ${sessionTimes.confirmed}::interval, failures = 0
    where id = ${id}`.execute(tx)
  return null
}
