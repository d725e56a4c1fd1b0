import { Gauge, type Registry } from 'prom-client'
import type { Deps } from '../../platform/module.ts'
import { listRuns } from './queries.ts'

/** What the last run did, whichever instance it ran in: asked of the database when the metrics are read. */
export function watchRetention(registry: Registry, { db }: Pick<Deps, 'db'>): void {
  const ran = new Gauge({
    name: 'retention_last_run_timestamp_seconds',
    help: 'When each part of the retention last ran to its end',
    labelNames: ['part'],
    registers: [registry],
  })
  new Gauge({
    name: 'retention_last_run_rows',
    help: 'How many rows it then deleted, or took out of what is personal',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      const runs = await listRuns(db).catch(() => [])
      this.reset()
      ran.reset()
      for (const { part, ran_at, rows } of runs) {
        this.set({ part }, rows)
        ran.set({ part }, ran_at.getTime() / 1_000)
      }
    },
  })
}
