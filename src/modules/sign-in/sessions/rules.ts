import type { SignedIn } from '../../../platform/access/caller.ts'
import { leftOf } from '../../../platform/access/rules.ts'
import { type EndReason, endSession, endSessionsOf } from '../../../platform/access/session-records.ts'
import type { Session } from '../../../platform/access/sessions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound } from '../../../platform/errors.ts'
import { deviceActions } from '../schema.ts'
import * as queries from './queries.ts'

/** Lists the open sessions of a user with what the caller may do with each. */
export async function listDevices(db: Database, { user }: SignedIn, userId: string, session: Session | null) {
  const devices = await queries.listDevices(db, userId, session?.id ?? null)
  return devices.map((device) => ({ ...device, can: leftOf(deviceActions, { mine: user.id === userId }) }))
}

/** Ends all sessions of the caller except the current one. */
export function endOthersOf(db: Database, caller: SignedIn, currentId: string | null): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await queries.lockUser(tx, caller.user.id)
    return endSessionsOf(tx, caller, caller.user.id, 'others', currentId)
  })
}

/** Ends one open session of a user; 404 if the user has no such session. */
export function endOneOf(
  db: Database,
  caller: SignedIn,
  userId: string,
  id: string,
  reason: EndReason,
): Promise<{ id: string; ended: boolean }> {
  return db.transaction().execute(async (tx) => {
    if (!(await queries.isOpenSessionOf(tx, id, userId))) throw notFound()
    await endSession(tx, caller, id, reason)
    return { id, ended: true }
  })
}

/** Ends all sessions of another user; 404 if the user does not exist. */
export function endAllOf(db: Database, caller: SignedIn, userId: string): Promise<number> {
  return db.transaction().execute(async (tx) => {
    if (!(await queries.lockUser(tx, userId))) throw notFound()
    return endSessionsOf(tx, caller, userId, 'administrator')
  })
}
