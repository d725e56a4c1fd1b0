import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { rollBackAfter, transactOn } from '../../platform/database/dry-run.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import type { Module } from '../../platform/module.ts'
import { noteRun } from './queries.ts'

/** Limits per run, enough for any day. A first run over many years continues the next night. */
const defaultSizes = { batch: 500, batches: 400 }

/** Number of rows by rule. */
type Counts = Record<string, number>

/** Applies all retention rules and returns the number of rows of each. Each batch is committed separately. */
export async function applyRetention(
  db: Database,
  modules: readonly Module[],
  months: Config['retentionMonths'],
  signal: AbortSignal,
  sizes = defaultSizes,
): Promise<Counts> {
  const sweeping = unprepared(db)
  return eachPart(modules, async ({ name, months: fallback, sweep }) => {
    const rows = await sweepAll(() => sweep(sweeping, months[name] ?? fallback, sizes.batch), sizes, signal)
    await noteRun(db, name, rows)
    return rows
  })
}

/** Applies the rules and rolls back, so that its report is exact. */
export async function tryRetention(
  db: Database,
  modules: readonly Module[],
  months: Config['retentionMonths'],
  signal: AbortSignal,
  sizes = defaultSizes,
): Promise<Counts> {
  return eachPart(modules, ({ name, months: fallback, sweep }) =>
    rollBackAfter(transactOn(db), (tx) =>
      sweepAll(() => sweep(tx, months[name] ?? fallback, sizes.batch), sizes, signal),
    ),
  )
}

/** Runs every rule, even after one fails, and throws at the end. */
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
  { batch, batches }: typeof defaultSizes,
  signal: AbortSignal,
): Promise<number> {
  let deletedRows = 0
  for (let left = batches; left > 0; left--) {
    signal.throwIfAborted()
    const swept = await sweepBatch()
    deletedRows += swept
    if (swept < batch) break
  }
  return deletedRows
}
