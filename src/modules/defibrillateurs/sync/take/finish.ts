import type { Database } from '../../../../platform/database/connect.ts'
import * as queries from '../queries.ts'
import { SyncFailed } from '../sync-failed.ts'
import type { Tally } from '../tally.ts'
import { countBefore, dropReceived, findSharedPoints, listLost, merge } from './merge.ts'

type Received = {
  /** Registry codes requested; null: all. */
  codes: string[] | null
  isComplete: boolean
}
export type Counts = Awaited<ReturnType<typeof finish>>

/** Merges the received rows in the transaction that received them. */
export async function finish(tx: Database, target: queries.Target, received: Received, tally: Tally) {
  if (!target.accept_fall) await refuseFall(tx, target.id, received)
  const counts = await mergeReceived(tx, target.id, received.codes, tally)
  await queries.endSync(tx, target.id, { failed: null, counts })
  await queries.forgetOldSyncs(tx, target.commune_id)
  return counts
}

/** Merges the rows that this sync received and returns the counts. */
async function mergeReceived(tx: Database, syncId: string, codes: string[] | null, tally: Tally) {
  if (codes === null) await findSharedPoints(tx, syncId)
  const { doubled, shared_point, code_by_alias, code_by_name, code_unknown, ...merged } = await merge(
    tx,
    syncId,
    codes,
  )
  await dropReceived(tx, syncId)
  const { read, refused, cleaned } = tally.counts
  const { received, created, updated, returned } = merged
  return {
    read,
    ...merged,
    unchanged: received - created - updated - returned,
    refused: { ...refused, ...present({ doubled }) },
    cleaned: { ...cleaned, ...present({ shared_point, code_by_alias, code_by_name, code_unknown }) },
  }
}

const present = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))

/**
 * Refuses a drop to less than half: the download is broken. Accepts it for a commune with fewer than twenty
 * devices if the registry's total confirms it.
 */
async function refuseFall(tx: Database, syncId: string, { codes, isComplete }: Received): Promise<void> {
  const { received, present } = await countBefore(tx, syncId, codes)
  if (codes === null && received === 0) throw new SyncFailed('The file holds no defibrillator.')
  if (received * 2 >= present || (codes !== null && isComplete && present < 20)) return
  const lost = await listLost(tx, syncId, codes)
  throw new SyncFailed(
    `The registry has ${received} of what were ${present}: more than half are gone. If that is so, ask with accept_fall=true, or load with --accept-fall.`,
    { code: 'fall', received, present, ...lost },
  )
}
