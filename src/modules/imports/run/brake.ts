import type { Database } from '../../../platform/database/connect.ts'
import type { SourceRow } from '../queries.ts'
import type { ReadItem } from '../readers/item.ts'
import { ReadFailed } from '../readers/read-failed.ts'
import { findUsualSize, listLinks, type RunUnderWay } from './queries.ts'

/** Why the new publications of a run that is many times larger than usual wait for a decision. */
export const heldReason = 'held: this run brings many times more than the ones before it'

/** A run with fewer new items is never held. */
const fewestHeld = 50
const timesUsual = 5

/**
 * Decides, before anything is written, whether the new publications of this run wait for a decision: there are more than
 * fifty, and five times the usual size of the source, which is the median of its last runs. A source without a finished
 * run has no usual size. What an earlier attempt of the same run created counts as new.
 */
export async function isManyTimesLarger(
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
    // The import stumbles over the same place, and says so.
    if (!(error instanceof ReadFailed)) throw error
  }
  return false
}
