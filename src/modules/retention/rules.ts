import type { Config } from '../../platform/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Module } from '../../platform/module.ts'

/** Enough for any day; a first run over many years goes on the next night. */
const usualPace = { batch: 500, batches: 400 }

/** Answers how many rows of each went. Each batch stands for itself: what is done stays done. */
export async function applyRetention(
  db: Database,
  modules: readonly Module[],
  months: Config['retentionMonths'],
  signal: AbortSignal,
  { batch, batches } = usualPace,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const failures: unknown[] = []
  const repeat = async (of: string, sweep: () => Promise<number>) => {
    for (let left = batches; left > 0; left--) {
      signal.throwIfAborted()
      const gone = await sweep()
      counts[of] = (counts[of] ?? 0) + gone
      if (gone < batch) return
    }
  }
  for (const { name, sweep, months: usual } of modules.flatMap(({ retention = [] }) => retention)) {
    // One that fails keeps none of the others from their day.
    await repeat(name, () => sweep(db, months[name] ?? usual, batch)).catch((error) => failures.push(error))
  }
  if (failures.length > 0) throw new AggregateError(failures, 'a part of the retention failed')
  return counts
}
