import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Module } from '../../platform/module.ts'

/** Enough for any day; a first run over many years goes on the next night. */
const usualPace = { batch: 500, batches: 400 }

/** Answers how many rows of each went. Each batch commits by itself: what is done stays done. */
export async function applyRetention(
  db: Database,
  modules: readonly Module[],
  months: Config['retentionMonths'],
  signal: AbortSignal,
  pace = usualPace,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const failures: unknown[] = []
  for (const { name, months: usual, sweep } of modules.flatMap(({ retention = [] }) => retention)) {
    const sweepBatch = () => sweep(db, months[name] ?? usual, pace.batch)
    // One that fails keeps none of the others from their day.
    try {
      counts[name] = await sweepAll(sweepBatch, pace, signal)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'a part of the retention failed')
  return counts
}

async function sweepAll(
  sweepBatch: () => Promise<number>,
  { batch, batches }: typeof usualPace,
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
