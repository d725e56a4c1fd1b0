import type { Database } from '../../../../platform/database/connect.ts'
import * as queries from '../queries.ts'
import { SyncFailed } from '../sync-failed.ts'
import type { Tally } from '../tally.ts'
import { countFall, dropReceived, findSharedPoints, listLost, merge } from './merge.ts'

type Received = {
  /** Registry codes requested; null: all. */
  codes: string[] | null
  isComplete: boolean
}
export type Counts = Awaited<ReturnType<typeof finish>>

/** Merges the received rows in the transaction that received them. */
export async function finish(tx: Database, target: queries.Target, received: Received, tally: Tally) {
  if (!target.accept_fall) await refuseFall(tx, target.id, received, tally)
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
 * Refuses to lose more than half of the devices present, or of those that the registry retained: the download is
 * broken. Believes the loss of a commune with fewer than twenty if the registry's total confirms it.
 */
async function refuseFall(
  tx: Database,
  syncId: string,
  { codes, isComplete }: Received,
  { counts }: Tally,
): Promise<void> {
  const { received, present, missing, retained, unretained } = await countFall(tx, syncId, codes)
  if (codes === null && received === 0) throw new SyncFailed('The file holds no defibrillator.')
  const isFall = (lost: number, of: number) => lost * 2 > of && !(codes !== null && isComplete && of < 20)
  // The total says nothing about a column that is blank throughout.
  const isBlank = received > 0 && (counts.cleaned.no_validation ?? 0) >= received
  const isMissing = isFall(missing, present)
  if (!isMissing && !isFall(unretained, retained) && !(isBlank && unretained > 0)) return
  const [before, lost] = isMissing ? [present, missing] : [retained, unretained]
  const examples = await listLost(tx, syncId, codes, !isMissing)
  throw new SyncFailed(
    `The registry now ${isMissing ? 'lists' : 'retains'} ${before - lost} of ${before} devices. If this is correct, retry with accept_fall=true, or load with --accept-fall.`,
    { code: 'fall', received, present: before, missing: lost, examples },
  )
}
