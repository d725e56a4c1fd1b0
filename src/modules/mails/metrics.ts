import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Deps } from '../../platform/module.ts'
import { countUncertain } from './queries.ts'

const timeoutMs = 1_000

/** Asked of the database when the metrics are read. A database that is away hides it. */
export function watchUncertainMails(registry: Registry, { db, modules }: Pick<Deps, 'db' | 'modules'>): void {
  const kinds = modules.flatMap(({ mails = [] }) => mails)
  new Gauge({
    name: 'mails_uncertain',
    help: 'Mails of which nobody knows whether they arrived, by kind, until somebody sends them again',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const counts = await db
        .transaction()
        .execute(async (tx) => {
          await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(tx)
          return countUncertain(tx, kinds)
        })
        .catch(() => [])
      this.reset()
      for (const { kind, count } of counts) this.set({ kind }, count)
    },
  })
}
