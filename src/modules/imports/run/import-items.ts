import type { Database } from '../../../platform/database/connect.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import type { LogLine } from '../history/schema.ts'
import type { SourceRow } from '../queries.ts'
import type { ReadItem } from '../readers/item.ts'
import type { Action } from '../schema.ts'
import { apply } from './apply.ts'
import { type Decision, decide } from './decide.ts'
import { addToRun, type Counts, insertLines, type RunUnderWay } from './queries.ts'

/** What a dry run shows of an item. */
export type Outcome = {
  external_id: string | null
  title: string | null
  action: Action
  reason: string | null
}

const mostShown = 1_000
const mostLines = 1_000

type Import = {
  source: SourceRow
  run: RunUnderWay
  batches: AsyncIterable<ReadItem[]>
  /** Demo content leaves no trail. */
  isAudited?: boolean
}

/**
 * Read → match → decide → apply → log. Each batch commits by itself with its counts and its lines, so that a run that is
 * cut off can be done again from the beginning: what stands is found as it is. A dry run is the same but for the writing.
 */
export async function importItems(db: Database, work: Import): Promise<Outcome[]> {
  const { source, run, batches, isAudited = true } = work
  const isDry = run.dry_run
  const shown: Outcome[] = []
  for await (const batch of batches) {
    await againWhenCrossed(() =>
      inTransaction(db, async (tx) => {
        const decisions = await decide(tx, { source, run }, batch, { isDry })
        const lines = isDry ? [] : decisions.flatMap(lineOf)
        const added = await addToRun(tx, run, countsOf(decisions), lines.length)
        if (added === undefined) throw new Error('the run was taken over')
        if (isDry) {
          shown.push(...decisions.slice(0, mostShown - shown.length).map(outcomeOf))
          return
        }
        const firstLine = added.lines_total - lines.length
        const kept = lines.slice(0, Math.max(0, mostLines - firstLine))
        if (kept.length > 0) await insertLines(tx, run.id, firstLine, kept)
        await apply(tx, source, decisions, { isAudited })
      }),
    )
  }
  return shown
}

/** Two that lock the same rows in another order, or for longer than is waited: one gives way, and comes again. */
async function againWhenCrossed(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (tries === 5 || !crossed.has(code)) throw error
    }
  }
}
// deadlock_detected, lock_not_available
const crossed = new Set(['40P01', '55P03'])

const outcomeOf = ({ item: { external_id, title }, action, reason }: Decision): Outcome => ({
  external_id,
  title,
  action,
  reason,
})

const counted = {
  created: 'created',
  updated: 'updated',
  unchanged: 'unchanged',
  duplicate: 'duplicates',
  rejected: 'rejected',
} as const

function countsOf(decisions: Decision[]): Counts {
  const counts = {
    fetched: decisions.length,
    created: 0,
    updated: 0,
    unchanged: 0,
    duplicates: 0,
    rejected: 0,
  }
  for (const { action } of decisions) counts[counted[action]] += 1
  return counts
}

/** What did not change, and has no reason to, needs no line. */
function lineOf({ item, action, reason }: Decision): LogLine[] {
  if (action === 'unchanged' && reason === null) return []
  const message = reason === null ? action : `${action}: ${reason}`
  const level = action === 'rejected' ? 'warning' : 'info'
  return [{ at: new Date().toISOString(), level, message, external_id: item.external_id }]
}
