import { Gauge, type Registry } from 'prom-client'
import type { Deps } from '../../platform/module.ts'
import { listRuns } from './queries.ts'

/** Reports the last run on any instance, read from the database when metrics are scraped. */
export function watchRetention(registry: Registry, { reads }: Pick<Deps, 'reads'>): void {
  let reading: Promise<void> | null = null
  // Both gauges share one query.
  const collect = () => {
    reading ??= show().finally(() => {
      reading = null
    })
    return reading
  }
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['part'], registers: [registry], collect })
  const ranAt = gauge(
    'retention_last_run_timestamp_seconds',
    'When each part of the retention last ran to its end',
  )
  const deletedRows = gauge(
    'retention_last_run_rows',
    'How many rows it then deleted, or took out of what is personal',
  )

  async function show() {
    const runs = await listRuns(reads).catch(() => [])
    ranAt.reset()
    deletedRows.reset()
    for (const { part, ran_at, rows } of runs) {
      ranAt.set({ part }, ran_at.getTime() / 1_000)
      deletedRows.set({ part }, rows)
    }
  }
}
