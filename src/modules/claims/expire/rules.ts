import { operator } from '../../../platform/access/caller.ts'
import { recordAudits } from '../../../platform/audit/record.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { claim } from '../record.ts'
import { expireOverdue, expireOverdueOf } from './queries.ts'

/** Ends the claims that nobody has decided in time. */
export async function expireClaims(
  db: Database,
  ttlDays: number,
  signal: AbortSignal,
  batch = 500,
): Promise<number> {
  for (let count = 0; ; ) {
    signal.throwIfAborted()
    const ids = await db.transaction().execute(async (tx) => {
      const expired = await expireOverdue(tx, ttlDays, batch)
      await recordExpired(tx, expired)
      return expired
    })
    count += ids.length
    if (ids.length < batch) return count
  }
}

/** Ends the acteur's pending claim where that is past its time. */
export async function expireClaimOf(tx: Database, acteurId: string, ttlDays: number): Promise<void> {
  await recordExpired(tx, await expireOverdueOf(tx, acteurId, ttlDays))
}

/** Time has done it, not the caller that happens to find out. */
async function recordExpired(tx: Database, ids: string[]): Promise<void> {
  const change = { before: { status: 'pending' }, after: { status: 'expired' } }
  const changes = ids.map((entityId) => ({ action: 'claim.expire', kind: claim, entityId, ...change }))
  await recordAudits(tx, operator, changes)
}
