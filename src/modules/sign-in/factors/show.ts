import type { Caller } from '../../../platform/access/caller.ts'
import { secretBox } from '../../../platform/access/secret-box.ts'
import { auditedSession, endSession } from '../../../platform/access/session-records.ts'
import type { Session } from '../../../platform/access/sessions.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import * as queries from './queries.ts'
import { digestOfCode } from './recovery-codes.ts'
import { stepOfCode } from './totp.ts'

/** A proof: a code of an authenticator app, a recovery code, or a passkey's assertion. */
export type Shown = { totp?: string; recovery_code?: string; passkey?: unknown }
export type Tools = Pick<RouteDeps, 'db' | 'config' | 'clock' | 'log'>

const maxFailures = 5

/** True if the proof belongs to the user. Accepts each code at most once, across instances. */
export async function isFactorOf(
  tools: Tools,
  userId: string,
  { totp, recovery_code }: Shown,
): Promise<boolean> {
  if (totp !== undefined) {
    const sealed = (await queries.findTotp(tools.db, userId))?.secret ?? null
    const secret = sealed && openSecret(tools, userId, sealed)
    const step = secret === null ? null : stepOfCode(secret, totp, tools.clock())
    return step !== null && queries.acceptStep(tools.db, userId, step)
  }
  return (
    recovery_code !== undefined && queries.spendRecoveryCode(tools.db, userId, digestOfCode(recovery_code))
  )
}

/** Decrypts the secret of an authenticator app; null, with a warning, if SESSION_KEY has changed since. */
export function openSecret({ config, log }: Pick<Tools, 'config' | 'log'>, userId: string, sealed: Buffer) {
  const secret = secretBox(config.sessionKeys, 'second factors').open(sealed, userId)
  if (secret === null) log.warn({ userId }, 'SESSION_KEY does not decrypt the authenticator app of a user')
  return secret
}

export const kindOf = ({ totp, recovery_code }: Shown): string =>
  totp !== undefined ? 'totp' : recovery_code !== undefined ? 'recovery_code' : 'passkey'

/**
 * Compares a proof unless five attempts in a row have failed; false otherwise. Counts the attempt first, so that
 * concurrent requests get no more; a success resets the count. Audits a refusal. The fifth ends the session: its
 * first factor may be stolen.
 */
export async function isProven(
  db: Database,
  caller: Caller,
  session: Session,
  factor: string,
  compare: () => Promise<boolean>,
): Promise<boolean> {
  const failures = await queries.countFailure(db, session.id)
  if (failures <= maxFailures && (await compare())) return true
  await db.transaction().execute(async (tx) => {
    const change = { kind: auditedSession, entityId: session.id, after: { user_id: session.user.id, factor } }
    await append(tx, caller, { action: 'session.refuse', ...change })
    if (failures >= maxFailures) await endSession(tx, caller, session.id, 'too_many_failures')
  })
  return false
}
