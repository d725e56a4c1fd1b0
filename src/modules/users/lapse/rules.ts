import { operator } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
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
  const found = await queries.lockUnbound(tx, afterId, limit)
  const rights = Map.groupBy(await queries.listRights(tx, found), ({ user_id }) => user_id)
  // Another instance may have handled some of these users before this lock.
  const lapsing = [...rights].filter(([, held]) => held.some(({ is_too_old }) => is_too_old))
  const ids = lapsing.map(([id]) => id)
  await queries.deleteOldRights(tx, ids)
  await queries.updateVersions(tx, ids)
  const changes = lapsing.map(([entityId, before]) => {
    const after = before.filter(({ is_too_old }) => !is_too_old)
    const change = { before: { acteurs: before.map(shown) }, after: { acteurs: after.map(shown) } }
    return { action: 'user.lapse', kind: user, entityId, ...change }
  })
  await append(tx, operator, changes)
  return { found, lapsed: ids.length }
}

const shown = ({ acteur_id, role, permissions }: queries.Right) => ({
  acteur_id,
  role,
  permissions,
})
