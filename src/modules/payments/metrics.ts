import { sql } from 'kysely'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../../platform/database/connect.ts'
import { withTimeout } from '../../platform/database/timeout.ts'
import type { Deps } from '../../platform/module.ts'

type Outcome = 'received' | 'duplicate' | 'refused' | 'processed' | 'ignored' | 'failed'

/** Counts in this process: routes and jobs increment it. */
export const paymentEvents = new Counter({
  name: 'payment_events_total',
  help: 'Events of the payment provider: delivered for the first time, again, or with a bad signature; and what became of them',
  labelNames: ['outcome'],
  registers: [],
})
for (const outcome of [
  'received',
  'duplicate',
  'refused',
  'processed',
  'ignored',
  'failed',
] satisfies Outcome[])
  paymentEvents.inc({ outcome }, 0)

export const countEvent = (outcome: Outcome, by = 1): void => paymentEvents.inc({ outcome }, by)

const timeoutMs = 1_000

/** Reads the backlog from the database on each scrape; omits it if the database is unavailable. */
export function paymentsMetrics(registry: Registry, { reads }: Pick<Deps, 'reads'>): void {
  new Gauge({
    name: 'payment_oldest_unprocessed_seconds',
    help: 'How long the event that has waited longest for its effect has done so; 0 when none waits',
    registers: [registry],
    async collect() {
      const seconds = await withTimeout(reads, timeoutMs, readBacklog).catch(() => undefined)
      if (seconds === undefined) this.remove()
      else this.set(seconds)
    },
  })
}

async function readBacklog(tx: Database): Promise<number | undefined> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(received_at)), 0)::float8 as seconds
    from payment_events where status = 'received'`.execute(tx)
  return rows[0]?.seconds
}
