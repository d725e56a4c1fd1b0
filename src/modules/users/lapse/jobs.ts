import Type from 'typebox'
import { operator } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { user } from '../record.ts'
import * as queries from './queries.ts'

/**
 * Revokes permissions of users who never signed in, because their mailbox may have a new owner years later.
 * Returns how many users lost permissions.
 */
export async function lapseRights(db: Database, signal: AbortSignal, batch = 500): Promise<number> {
  let lastId = '00000000-0000-0000-0000-000000000000'
  for (let count = 0; ; ) {
    signal.throwIfAborted()
    const { found, lapsed } = await db.transaction().execute((tx) => lapseSome(tx, lastId, batch))
    count += lapsed
    lastId = found.at(-1) ?? lastId
    if (found.length < batch) return count
  }
}

async function lapseSome(tx: Database, afterId: string, limit: number) {
  const found = await queries.lockNeverSeen(tx, afterId, limit)
  const rights = Map.groupBy(await queries.listRights(tx, found), ({ user_id }) => user_id)
  const roles = Map.groupBy(await queries.listRoles(tx, found), ({ user_id }) => user_id)
  const held = found.map((id) => ({ id, acteurs: rights.get(id) ?? [], roles: roles.get(id) ?? [] }))
  // Another instance may have handled some of these users before this lock.
  const lapsing = held.filter((of) => [...of.acteurs, ...of.roles].some(({ lapses }) => lapses))
  const ids = lapsing.map(({ id }) => id)
  await queries.deleteOldRights(tx, found)
  await queries.updateVersions(tx, ids)
  const changes = lapsing.map(({ id, acteurs, roles }) => {
    const shown = (isKept: (right: { lapses: boolean }) => boolean) => ({
      acteurs: acteurs.filter(isKept).map(membership),
      roles: roles.filter(isKept).map(({ role }) => role),
    })
    const change = { before: shown(() => true), after: shown(({ lapses }) => !lapses) }
    return { action: 'user.lapse', kind: user, entityId: id, ...change }
  })
  await append(tx, operator, changes)
  return { found, lapsed: ids.length }
}

const membership = ({ acteur_id, role, permissions }: queries.Right) => ({
  acteur_id,
  role,
  permissions,
})

const lapse = defineJob('users.lapse-rights', Type.Object({}))

export function lapseHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handle(lapse, async (_payload, { signal }) => {
    const lapsed = await lapseRights(db, signal)
    if (lapsed > 0) log.info({ lapsed }, 'unclaimed permissions expired')
  })
}

export const lapseSchedule: Schedule = schedule(lapse, '40 4 * * *', {})
