import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { takeBack } from '../../platform/database/take-back.ts'
import type { Module } from '../../platform/module.ts'
import { noteRun } from './queries.ts'

/** Enough for any day; a first run over many years goes on the next night. */
const usualSizes = { batch: 500, batches: 400 }

/** How many rows of each went. */
type Counts = Record<string, number>

/** Answers how many rows of each went. Each batch commits by itself: what is done stays done. */
export async function applyRetention(
  db: Database,
  modules: readonly Module[],
  months: Config['retentionMonths'],
  signal: AbortSignal,
  sizes = usualSizes,
): Promise<Counts> {
  return eachPart(modules, async ({ name, months: usual, sweep }) => {
    const rows = await sweepAll(() => sweep(db, months[name] ?? usual, sizes.batch), sizes, signal)
    await noteRun(db, name, rows)
    return rows
  })
}

/** Does the same and takes it back, so that it answers just what would go. */
export async function tryRetention(
  db: Database,
  modules: readonly Module[],
  months: Config['retentionMonths'],
  signal: AbortSignal,
  sizes = usualSizes,
): Promise<Counts> {
  return eachPart(modules, ({ name, months: usual, sweep }) =>
    takeBack(db, (tx) => sweepAll(() => sweep(tx, months[name] ?? usual, sizes.batch), sizes, signal)),
  )
}

/** One that fails keeps none of the others from their day. */
async function eachPart(
  modules: readonly Module[],
  work: (part: NonNullable<Module['retention']>[number]) => Promise<number>,
): Promise<Counts> {
  const counts: Counts = {}
  const failures: unknown[] = []
  for (const part of modules.flatMap(({ retention = [] }) => retention)) {
    try {
      counts[part.name] = await work(part)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'a part of the retention failed')
  return counts
}

async function sweepAll(
  sweepBatch: () => Promise<number>,
  { batch, batches }: typeof usualSizes,
  signal: AbortSignal,
): Promise<number> {
  let gone = 0
  for (let left = batches; left > 0; left--) {
    signal.throwIfAborted()
    const swept = await sweepBatch()
    gone += swept
    if (swept < batch) break
  }
  return gone
}
