import { sql } from 'kysely'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../../../platform/database/connect.ts'
import { withTimeout } from '../../../platform/database/timeout.ts'
import type { Deps } from '../../../platform/module.ts'

/** Counts in this process. */
export const webhookAttempts = new Counter({
  name: 'webhook_attempts_total',
  help: 'Attempts to send a message to a webhook, by whether its receiver returned 2xx',
  labelNames: ['outcome'],
  registers: [],
})
const outcomes = ['delivered', 'failed'] as const
for (const outcome of outcomes) webhookAttempts.inc({ outcome }, 0)

export const countAttempt = (outcome: (typeof outcomes)[number]): void => webhookAttempts.inc({ outcome })

const timeoutMs = 1_000

/** Reads on each scrape how long messages wait; omits it if the database is unavailable. */
export function webhookMetrics(registry: Registry, { reads }: Pick<Deps, 'reads'>): void {
  new Gauge({
    name: 'webhook_oldest_unsent_seconds',
    help: 'How long the message that has waited longest for an enabled webhook that does not fail has done so; 0 when none waits',
    registers: [registry],
    async collect() {
      const seconds = await withTimeout(reads, timeoutMs, readOldest).catch(() => undefined)
      if (seconds === undefined) this.remove()
      else this.set(seconds)
    },
  })
}

async function readOldest(db: Database): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(max(extract(epoch from now() - oldest.at)), 0)::float8 as seconds
    from webhooks w cross join lateral (
      select d.at from webhook_deliveries d
      where d.webhook_id = w.id and d.state = 'waiting' and d.at <= now() order by d.at, d.number limit 1) oldest
    where w.disabled_at is null and w.failures = 0`.execute(db)
  return rows[0]?.seconds ?? 0
}
