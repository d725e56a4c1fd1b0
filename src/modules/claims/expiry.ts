import { operator } from '../../platform/access/caller.ts'
import { recordAudits } from '../../platform/audit/record.ts'
import type { Database } from '../../platform/database/connect.ts'
import { claimKind } from './audited.ts'
import { expireClaims } from './queries.ts'

/** Ends the claims that nobody has decided in time. */
export async function expireOverdueClaims(
  db: Database,
  ttlDays: number,
  signal: AbortSignal,
  batch = 500,
): Promise<number> {
  for (let count = 0; ; ) {
    signal.throwIfAborted()
    const ids = await db.transaction().execute(async (tx) => {
      const expired = await expireClaims(tx, ttlDays, batch)
      await recordExpired(tx, expired)
      return expired
    })
    count += ids.length
    if (ids.length < batch) return count
  }
}

/** Time has done it, not the caller that happens to find out. */
export async function recordExpired(tx: Database, ids: string[]): Promise<void> {
  const change = { before: { status: 'pending' }, after: { status: 'expired' } }
  const changes = ids.map(
    (entityId) => ({ action: 'claim.expire', kind: claimKind, entityId, ...change }) as const,
  )
  await recordAudits(tx, operator, changes)
}
