import type { Caller, SignedIn, User } from '../../../platform/access/caller.ts'
import { secretBox } from '../../../platform/access/secret-box.ts'
import { auditedSession, endSessionsOf, rotateSession } from '../../../platform/access/session-records.ts'
import { mustHaveFactor, type Session } from '../../../platform/access/sessions.ts'
import { auditedUser } from '../../../platform/access/users.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import {
  confirmationRequired,
  conflict,
  invalid,
  notFound,
  raise,
  unauthenticated,
} from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import * as queries from './queries.ts'
import { digestOfCode, newRecoveryCodes } from './recovery-codes.ts'
import { openSecret, type Tools } from './show.ts'
import { newTotpSecret, stepOfCode, totpUri } from './totp.ts'

/** Marks the second factor as shown and rotates the session's value: a stolen earlier value gains nothing. */
export function raiseSession(db: Database, caller: Caller, session: Session): Promise<string> {
  return db.transaction().execute(async (tx) => {
    await queries.noteFactorShown(tx, session.id)
    const value = (await rotateSession(tx, session)) ?? raise(unauthenticated())
    const after = { user_id: session.user.id, second_factor: true }
    const change = { kind: auditedSession, entityId: session.id, after }
    await append(tx, caller, { action: 'session.second_factor', ...change })
    return value
  })
}

/** Creates a pending secret for an authenticator app. The current app stays valid until `confirmTotp`. */
export function beginTotp(
  { db, config }: Tools,
  { user }: SignedIn,
): Promise<{ secret: string; uri: string }> {
  const secret = newTotpSecret()
  return db.transaction().execute(async (tx) => {
    const account = await queries.lockUser(tx, user.id)
    if (account === null) throw unauthenticated()
    await queries.putPendingTotp(
      tx,
      user.id,
      secretBox(config.sessionKeys, 'second factors').seal(secret, user.id),
    )
    return { secret, uri: totpUri(secret, account.email ?? account.nom ?? user.id) }
  })
}

/** Activates the pending app and marks the factor as shown. Returns the session's new value; 409 without one. */
export function confirmTotp(
  tools: Tools,
  caller: SignedIn,
  code: string,
  session: Session | null,
): Promise<string | null> {
  const { id } = caller.user
  return tools.db.transaction().execute(async (tx) => {
    await queries.lockUser(tx, id)
    const pending = (await queries.findTotp(tx, id))?.pending_secret ?? null
    const secret = pending && openSecret(tools, id, pending)
    if (secret === null) throw conflict()
    const step = stepOfCode(secret, code, tools.clock())
    if (step === null) throw invalid('totp', wrongCode)
    await queries.confirmTotp(tx, id, step)
    await recordFactor(tx, caller, 'user.factor_add', { factor: 'totp' })
    return raiseWithin(tx, session)
  })
}

/** Marks the second factor as shown, because the session has just set it up. 403 if its value has been replaced. */
export async function raiseWithin(tx: Database, session: Session | null): Promise<string | null> {
  if (session === null) return null
  await queries.noteFactorShown(tx, session.id)
  return (await rotateSession(tx, session)) ?? raise(confirmationRequired())
}

export function removeTotp({ db, config }: Tools, caller: SignedIn): Promise<void> {
  return removing({ db, config }, caller, async (tx) =>
    (await queries.deleteTotp(tx, caller.user.id)) ? { factor: 'totp' } : null,
  )
}

/** Removes a factor if another remains or none is required, and the recovery codes with the last factor. */
export function removing(
  { db, config }: Pick<Tools, 'db' | 'config'>,
  caller: SignedIn,
  remove: (tx: Database) => Promise<Record<string, unknown> | null>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await queries.lockUser(tx, caller.user.id)
    const removed = await remove(tx)
    if (removed === null) return
    const { totp, passkeys } = await queries.findFactors(tx, caller.user.id)
    if (!totp && passkeys.length === 0) {
      if (mustHaveFactor(caller.user, config.secondFactor)) throw conflict()
      await queries.replaceRecoveryCodes(tx, caller.user.id, [])
    }
    await recordFactor(tx, caller, 'user.factor_remove', removed)
  })
}

/** Replaces all recovery codes by ten new ones. They are returned once; only digests are stored. */
export function makeRecoveryCodes(db: Database, caller: SignedIn): Promise<string[]> {
  const codes = newRecoveryCodes()
  return db.transaction().execute(async (tx) => {
    await queries.lockUser(tx, caller.user.id)
    const { totp, passkeys } = await queries.findFactors(tx, caller.user.id)
    if (!totp && passkeys.length === 0) throw conflict()
    const stored = codes.map((code) => ({ id: uuidv7(), hash: digestOfCode(code) }))
    await queries.replaceRecoveryCodes(tx, caller.user.id, stored)
    await recordFactor(tx, caller, 'user.factor_add', { factor: 'recovery_codes', count: codes.length })
    return codes
  })
}

/**
 * Deletes all factors of a user who lost them, and ends their sessions, which somebody else may be using. 409 for
 * oneself if a factor is compulsory: it would remove the last one, as `removing` refuses to.
 */
export async function resetFactors(
  { db, config }: Pick<Tools, 'db' | 'config'>,
  caller: SignedIn,
  userId: string,
): Promise<{ user_id: string; ended: number }> {
  if (userId === caller.user.id && mustHaveFactor(caller.user, config.secondFactor)) throw conflict()
  return db.transaction().execute((tx) => resetWithin(tx, caller, userId))
}

export async function resetWithin(tx: Database, caller: Caller, userId: string) {
  // Also of a disabled account, which may be enabled again.
  if (!(await queries.lockAnyUser(tx, userId))) throw notFound()
  const removed = await queries.deleteFactors(tx, userId)
  const ended = await endSessionsOf(tx, caller, userId, 'factors_reset')
  const change = { kind: auditedUser, entityId: userId, after: { removed } }
  await append(tx, caller, { action: 'user.factors_reset', ...change })
  return { user_id: userId, ended }
}

export const recordFactor = (
  tx: Database,
  caller: SignedIn,
  action: 'user.factor_add' | 'user.factor_remove',
  after: Record<string, unknown>,
): Promise<void> => append(tx, caller, { action, kind: auditedUser, entityId: caller.user.id, after })

export const mustHave = (user: User, { config }: Pick<Tools, 'config'>): boolean =>
  mustHaveFactor(user, config.secondFactor)

const wrongCode = {
  en: 'is not the code that the app shows now',
  fr: 'n’est pas le code que l’application affiche',
}
