import { operator } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { inBatches } from '../../../platform/jobs/sweeps.ts'
import { claim } from '../record.ts'
import { expireOverdue, expireOverdueOf } from './queries.ts'

/** Expires overdue claims in batches. */
export async function expireClaims(
  db: Database,
  ttlDays: number,
  signal: AbortSignal,
  batch = 500,
): Promise<number> {
  return inBatches(batch, signal, () =>
    db.transaction().execute(async (tx) => {
      const expired = await expireOverdue(tx, ttlDays, batch)
      await recordExpired(tx, expired)
      return expired.length
    }),
  )
}

/** Expires the acteur's pending claim if it is overdue. */
export async function expireClaimOf(tx: Database, acteurId: string, ttlDays: number): Promise<void> {
  await recordExpired(tx, await expireOverdueOf(tx, acteurId, ttlDays))
}

/** Audits without a user: the time limit expired the claim, not the caller who triggered the check. */
async function recordExpired(tx: Database, ids: string[]): Promise<void> {
  const change = { before: { status: 'pending' }, after: { status: 'expired' } }
  const changes = ids.map((entityId) => ({ action: 'claim.expire', kind: claim, entityId, ...change }))
  await append(tx, operator, changes)
}
