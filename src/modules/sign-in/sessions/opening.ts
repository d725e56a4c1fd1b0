import { sql } from 'kysely'
import type { Caller } from '../../../platform/access/caller.ts'
import { type Client, endSession, insertSession } from '../../../platform/access/session-records.ts'
import type { SessionMethod } from '../../../platform/access/sessions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Deps } from '../../../platform/module.ts'
import { newDeviceMail } from './jobs.ts'

export type Account = {
  id: string
  issuer: string | null
  email: string | null
  has_role: boolean
  seen_before: boolean
}

/** Locks an enabled user, so that nobody disables, erases, binds or gives it a role during the sign-in. */
export async function lockAccount(tx: Database, id: string): Promise<Account | null> {
  await sql`select from users where id = ${id} for update`.execute(tx)
  const { rows } = await sql<Account>`
    select id, issuer, email, last_seen_at is not null as seen_before,
      exists (select from user_roles where user_id = users.id) as has_role
    from users where id = ${id} and actif and erased_at is null`.execute(tx)
  return rows[0] ?? null
}

type NewSession = {
  account: { id: string; seen_before: boolean }
  method: SessionMethod
  hasShownFactor: boolean
  client: Client
  /** The browser's current session, which the new one replaces. */
  formerSession: string | null
}

/** Opens a session that replaces the browser's former one. Mails the user if the device is new. */
export async function openSession(
  tx: Database,
  jobs: Deps['jobs'],
  caller: Caller,
  { account, method, hasShownFactor, client, formerSession }: NewSession,
): Promise<{ id: string; value: string }> {
  if (formerSession !== null) await endSession(tx, caller, formerSession, 'replaced')
  const { deviceHash } = client
  const isKnown = deviceHash !== null && (await isKnownDevice(tx, account.id, deviceHash))
  const { id, value } = await insertSession(tx, caller, {
    userId: account.id,
    method,
    hasShownFactor,
    client,
  })
  if (!isKnown && account.seen_before) await jobs.enqueue(tx, newDeviceMail, { sessionId: id })
  return { id, value }
}

/** True if the user has signed in from this device before. */
async function isKnownDevice(tx: Database, userId: string, deviceHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select from sessions where user_id = ${userId} and device_hash = ${deviceHash} limit 1`.execute(tx)
  return rows.length > 0
}
