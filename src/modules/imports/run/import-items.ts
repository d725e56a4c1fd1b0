import type { Database } from '../../../platform/database/connect.ts'
import { inTransaction } from '../../../platform/database/in-transaction.ts'
import { writeImported } from '../../publications/importing/rules.ts'
import type { LogLine } from '../history.ts'
import type { SourceRow } from '../queries.ts'
import type { ReadItem } from '../readers/item.ts'
import type { Action } from '../schema.ts'
import { type Decision, decide } from './decide.ts'
import { addEarlier, noneEarlier, sharedAddress } from './digests.ts'
import {
  addToRun,
  type Counts,
  insertItems,
  insertLines,
  putLinks,
  type RunUnderWay,
  renameLinks,
} from './queries.ts'
import { isHeldReason } from './unusual-size.ts'

/** Writes the decisions in a few statements. */
async function apply(
  tx: Database,
  source: Pick<SourceRow, 'id'>,
  decisions: Decision[],
  options: { isAudited: boolean },
): Promise<void> {
  const changes = {
    created: decisions.flatMap(({ creation }) => creation ?? []),
    updated: decisions.flatMap(({ update }) => update ?? []),
  }
  await writeImported(tx, source.id, changes, options)
  await renameLinks(
    tx,
    source.id,
    decisions.flatMap(({ item, formerly }) =>
      formerly === undefined || item.external_id === null ? [] : { from: formerly, to: item.external_id },
    ),
  )
  await putLinks(
    tx,
    source.id,
    decisions.flatMap(({ link }) => link ?? []),
  )
}

/** An item in the response of a dry run. */
export type Outcome = {
  external_id: string | null
  title: string | null
  action: Action
  reason: string | null
}

/** What a dry run shows besides its counts. */
export type Outcomes = { items: Outcome[]; shared_address: ReturnType<typeof sharedAddress> }

export const maxShown = 1_000
/** Items with a log line and an entry of their own. */
const maxNoted = 1_000

type Import = {
  source: SourceRow
  run: RunUnderWay
  batches: AsyncIterable<ReadItem[]>
  /** New publications wait for a decision, whatever the source's setting. */
  isHeld?: boolean
  /** Demo content is not audited. */
  isAudited?: boolean
}

/**
 * Read → match → decide → apply → log. Commits each batch with its counts and log lines, so an interrupted
 * run can restart from the beginning and recognise its own work. A dry run writes only its counts.
 */
export async function importItems(db: Database, work: Import): Promise<Outcomes> {
  const { source, run, batches, isHeld = false, isAudited = true } = work
  const isDry = run.dry_run
  const items: Outcome[] = []
  const earlier = noneEarlier()
  for await (const batch of batches) {
    await retryOnDeadlock(() =>
      inTransaction(db, async (tx) => {
        const decisions = await decide(tx, { source, run, isHeld, earlier }, batch, { isDry })
        const noted = isDry ? [] : decisions.filter(isNoted)
        const added = await addToRun(tx, run, countsOf(decisions), noted.length)
        if (added === undefined) throw new Error('the run was taken over')
        if (isDry) {
          items.push(...decisions.slice(0, maxShown - items.length).map(outcomeOf))
          return
        }
        const first = added.lines_total - noted.length
        const kept = noted.slice(0, Math.max(0, maxNoted - first))
        if (kept.length > 0) {
          await insertLines(tx, run.id, first, kept.map(lineOf))
          await insertItems(tx, run.id, first, kept.map(entryOf))
        }
        await apply(tx, source, decisions, { isAudited })
      }),
    )
    addEarlier(earlier, batch)
  }
  return { items, shared_address: sharedAddress(earlier) }
}

/** Retries a batch after a deadlock or a lock timeout. */
async function retryOnDeadlock(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (tries === 5 || !retryableCodes.has(code)) throw error
    }
  }
}
// deadlock_detected, lock_not_available
const retryableCodes = new Set(['40P01', '55P03'])

export const outcomeOf = ({ item: { external_id, title }, action, reason }: Decision): Outcome => ({
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

export function countsOf(decisions: Decision[]): Counts {
  const counts = {
    fetched: decisions.length,
    created: 0,
    updated: 0,
    unchanged: 0,
    duplicates: 0,
    rejected: 0,
    held: decisions.filter(({ reason }) => isHeldReason(reason)).length,
  }
  for (const { action } of decisions) counts[counted[action]] += 1
  return counts
}

/** An item that did not change is only counted. */
const isNoted = ({ action, reason }: Decision) => action !== 'unchanged' || reason !== null

const entryOf = (decision: Decision) => ({
  ...outcomeOf(decision),
  publication_id: decision.publication_id ?? null,
})

function lineOf({ item, action, reason }: Decision): LogLine {
  const message = reason === null ? action : `${action}: ${reason}`
  const level = action === 'rejected' ? 'warning' : 'info'
  return { at: new Date().toISOString(), level, message, external_id: item.external_id }
}
