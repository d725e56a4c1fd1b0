import { Gauge, type Registry } from 'prom-client'
import Type from 'typebox'
import { deleteOldResponses } from '../../platform/idempotency.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import type { Deps, Module } from '../../platform/module.ts'
import { listRuns } from './queries.ts'
import { applyRetention } from './rules.ts'

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

const forget = defineJob('retention.delete-old-answers', Type.Object({}))
const retain = defineJob('retention.apply', Type.Object({}), { timeoutSeconds: 3_600 })

export function retentionHandlers({ db, log, config, modules }: Deps): Handler[] {
  return [
    handle(forget, () => deleteOldResponses(db)),
    handle(retain, async (_payload, { signal }) => {
      const counts = await applyRetention(db, modules, config.retentionMonths, signal)
      log.info({ counts }, 'retention applied')
    }),
  ]
}

const retentionSchedules: Schedule[] = [
  schedule(forget, '40 * * * *', {}),
  schedule(retain, '20 4 * * *', {}),
]

export const retention = {
  name: 'retention',
  about: 'Deletes or anonymises what has been kept long enough',
  jobs: { handlers: retentionHandlers, schedules: retentionSchedules },
  metrics: { watch: watchRetention },
} satisfies Module
