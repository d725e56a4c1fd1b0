import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import Type from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { withTimeout } from '../../platform/database/timeout.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { deletionOf, inBatches } from '../../platform/jobs/sweeps.ts'
import { giveUpMails } from '../../platform/mail/row-mails.ts'
import type { Deps, Module } from '../../platform/module.ts'
import { deleteOf, findByUser, type Personal, rowsOf } from '../../platform/personal.ts'
import { notifyAdministrators } from '../users/administrators.ts'
import { mailsErrors } from './errors.ts'
import { uncertainNotice } from './mail.ts'
import { countUncertain, listOldestQueued, takeUnreportedPeriod } from './queries.ts'
import { mailsAdminRoutes } from './routes.admin.ts'

const timeoutMs = 1_000

/** Queries the database when metrics are scraped. Without the database the metrics are missing. */
export function watchMails(registry: Registry, { db, modules }: Pick<Deps, 'db' | 'modules'>): void {
  const kinds = modules.flatMap(({ office }) => office?.mails ?? [])
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
      const ages = await readQuickly(db, (tx) => listOldestQueued(tx, kinds))
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

/** How long a direct mail that ended is listed. */
const deleteOld = deletionOf('direct_mails', sql`email_status_at < now() - interval '30 days'`, {
  oldest: 'email_status_at',
})

const directMailsOfPerson: Personal = {
  name: 'direct_mails',
  title: { en: 'Codes, invitations and notices sent by mail', fr: 'Codes, invitations et avis par courriel' },
  erasure: { en: 'Deleted.', fr: 'Suppression complète.' },
  kind: null,
  find: findByUser('direct_mails'),
  read: rowsOf('direct_mails', sql`mail_kind, email_status, email_status_at`),
  erase: deleteOf('direct_mails'),
}

const giveUp = defineJob('mails.give-up', Type.Object({}))
const notify = defineJob('mails.tell-administrators', Type.Object({}))

export function mailsHandlers({ db, log, jobs, config, modules }: Deps): Handler[] {
  const kinds = modules.flatMap(({ office }) => office?.mails ?? [])
  return [
    handle(giveUp, async (_payload, { signal }) => {
      await inBatches(1_000, signal, (batch) => deleteOld(db, batch))
      for (const kind of kinds) {
        const count = await giveUpMails(db, kind)
        if (count > 0) log.info({ mails: kind.name, count }, 'mails given up: their result is unknown')
      }
    }),
    handle(notify, () =>
      db.transaction().execute(async (tx) => {
        const period = await takeUnreportedPeriod(tx)
        const counts = (await countUncertain(tx, kinds, period)).filter(({ count }) => count > 0)
        const known = { kinds, until: period.until, url: config.publicUrl }
        if (counts.length > 0) await notifyAdministrators(tx, { jobs }, uncertainNotice(counts, known))
      }),
    ),
  ]
}

const mailsSchedules: Schedule[] = [schedule(giveUp, '47 * * * *', {}), schedule(notify, '10 8 * * *', {})]

export const mails = {
  name: 'mails',
  about: 'What became of the mails of other modules',
  routes: { admin: { area: 'mails', routes: mailsAdminRoutes } },
  errors: mailsErrors,
  jobs: { handlers: mailsHandlers, schedules: mailsSchedules },
  metrics: { watch: watchMails },
  personal: [directMailsOfPerson],
} satisfies Module
