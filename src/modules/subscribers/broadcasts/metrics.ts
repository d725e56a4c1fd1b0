import { sql } from 'kysely'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '../../../platform/database/connect.ts'
import { withTimeout } from '../../../platform/database/timeout.ts'
import type { Deps } from '../../../platform/module.ts'
import type { Channel } from '../addresses.ts'
import type { Outcome } from './deliveries.ts'

const deliveries = new Counter({
  name: 'broadcast_deliveries_total',
  help: 'Attempts to deliver a message to a subscriber, by channel and outcome; failed ones are retried, refused ones are not, gone ones are of browsers that no longer subscribe',
  labelNames: ['channel', 'outcome'],
  registers: [],
})
for (const channel of ['email', 'push'] satisfies Channel[])
  for (const outcome of ['sent', 'failed', 'refused', 'uncertain'] satisfies Outcome[])
    deliveries.inc({ channel, outcome }, 0)
deliveries.inc({ channel: 'push', outcome: 'gone' }, 0)

export const broadcastCounters: readonly Counter[] = [deliveries]

export function countOutcomes(channel: Channel, outcomes: readonly { outcome: Outcome }[]): void {
  for (const { outcome } of outcomes) if (outcome !== 'postponed') deliveries.inc({ channel, outcome })
}

const timeoutMs = 1_000

/** Reads from the database on each scrape; omitted while it is unavailable. */
export function watchBroadcasts(registry: Registry, { reads }: Pick<Deps, 'reads'>): void {
  gauge(
    'broadcast_oldest_unsent_seconds',
    'Age of the oldest broadcast with messages that have not left, since it started; 0 if there is none',
    sql`
      select coalesce(extract(epoch from now() - min(started_at)), 0)::float8 as value from broadcasts
      where status in ('expanding', 'sending')`,
  )
  gauge(
    'resident_subscribers',
    'Addresses that get messages about communes or groups',
    sql`
      select count(distinct ch.subscriber_id)::float8 as value
      from followed_places ch join resident_subscribers s on s.id = ch.subscriber_id
      where ch.confirmed_at is not null and s.is_proven`,
  )

  function gauge(name: string, help: string, query: ReturnType<typeof sql>): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const read = async (db: Database) => (await query.execute(db)).rows as { value: number }[]
        const rows = await withTimeout(reads, timeoutMs, read).catch(() => [])
        const [row] = rows
        if (row === undefined) this.remove()
        else this.set(row.value)
      },
    })
  }
}
