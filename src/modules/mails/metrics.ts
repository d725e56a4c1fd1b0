import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../../platform/database/connect.ts'
import { withTimeout } from '../../platform/database/timeout.ts'
import type { Deps } from '../../platform/module.ts'
import { mailAdministrator } from '../users/administrators.ts'
import { countUncertain, listOldestQueued } from './queries.ts'

const timeoutMs = 1_000

/** Queries the database when metrics are scraped. Without the database the metrics are missing. */
export function watchMails(registry: Registry, { db, modules }: Pick<Deps, 'db' | 'modules'>): void {
  const kinds = modules.flatMap(({ mails = [] }) => mails)
  const queues = [...kinds, { name: 'administrator_notice', queue: mailAdministrator.name }]
  new Gauge({
    name: 'mails_uncertain',
    help: 'Mails of which nobody knows whether they arrived, by kind, until somebody sends them again',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const counts = await readQuickly(db, (tx) => countUncertain(tx, kinds))
      this.reset()
      for (const { kind, count } of counts) this.set({ kind }, count)
    },
  })
  new Gauge({
    name: 'mails_oldest_queued_seconds',
    help: 'Age of the oldest mail that is not sent yet, by kind, whether it waits or is delayed until the next attempt',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const ages = await readQuickly(db, (tx) => listOldestQueued(tx, queues))
      this.reset()
      for (const { kind, age } of ages) this.set({ kind }, age)
    },
  })
}

async function readQuickly<Row>(db: Database, read: (tx: Database) => Promise<Row[]>): Promise<Row[]> {
  try {
    return await withTimeout(db, timeoutMs, read)
  } catch {
    return []
  }
}
