import type { Database } from '../../../platform/database/connect.ts'
import type { SourceRow } from '../queries.ts'
import type { ReadItem } from '../readers/item.ts'
import { ReadFailed } from '../readers/read-failed.ts'
import { findUsualSize, listLinks, type RunUnderWay } from './queries.ts'

/** Reason shown for new publications of an unusually large run, which wait for a decision. */
export const heldReason = 'held: this run is much larger than usual'

/** True for `heldReason`, also as earlier releases worded it. */
export const isHeldReason = (reason: string | null): boolean => reason?.startsWith('held: ') ?? false

/** Up to this many new items, a run is never held. */
const fewestHeld = 50
const timesUsual = 5

/**
 * Decides, before anything is written, whether the new publications of this run must wait for a decision: if
 * they are more than fifty and more than five times the source's usual size, the median of its last runs. A
 * source without a finished run has no usual size. Items created by an earlier attempt of this run count as
 * new.
 */
export async function exceedsUsualSize(
  db: Database,
  source: SourceRow,
  run: Pick<RunUnderWay, 'id'>,
  batches: AsyncIterable<ReadItem[]>,
): Promise<boolean> {
  const waitsAnyway = source.moderation_status === 'pending' || source.acteur_id === null
  const usual = waitsAnyway ? null : await findUsualSize(db, source.id)
  if (usual === null) return false
  const most = Math.max(fewestHeld, timesUsual * usual)
  let fresh = 0
  try {
    for await (const batch of batches) {
      const ids = batch.flatMap(({ external_id, refused }) => (refused ? [] : (external_id ?? [])))
      const known = (await listLinks(db, source.id, ids)).filter(({ run_id }) => run_id !== run.id)
      fresh += ids.length - known.length
      if (fresh > most) return true
    }
  } catch (error) {
    // The import fails at the same item and reports the error.
    if (!(error instanceof ReadFailed)) throw error
  }
  return false
}
