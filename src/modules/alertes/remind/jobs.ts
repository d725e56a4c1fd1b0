import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../../platform/database/connect.ts'
import { parseMailAddress } from '../../../platform/formats/mail-address.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import { inBatches } from '../../../platform/jobs/sweeps.ts'
import {
  cancelRowMail,
  type ListedMailKind,
  mailTries,
  sendRowMail,
} from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { reminderMail } from './mail.ts'
import { addressOf, findEndlessAlerte, markDueReminders } from './queries.ts'

const findDue = defineJob('alertes.find-due-reminders', Type.Object({}))
const remind = defineJob('alertes.remind-mairie', Type.Object({ alerteId: Type.String() }), mailTries)

export const reminderMails: ListedMailKind = {
  name: 'alerte_reminder',
  table: 'alertes',
  queue: remind.name,
  title: { fr: 'Rappel d’une alerte sans date de fin', en: 'Reminder about an alert without an end' },
  entity: 'alerte',
  area: 'alertes',
  recordId: sql`m.id`,
  recordName: sql`m.titre`,
  recipient: sql`(select ${addressOf} from alertes al where al.id = m.id)`,
  isNeeded: sql`(m.fin is null)`,
  enqueue: (tx, jobs, alerteId) => jobs.enqueue(tx, remind, { alerteId }),
}

export function findDueHandler({ db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>): Handler {
  return handle(findDue, async (_payload, { signal }) => {
    const queued = await queueReminders({ db, jobs }, signal)
    if (queued > 0) log.info({ queued }, 'reminders of alerts without an end queued')
  })
}

/** Marks alerts with a due reminder and enqueues a job for each, in the same transaction. */
export async function queueReminders(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  signal: AbortSignal,
): Promise<number> {
  return inBatches(200, signal, (batch) =>
    db.transaction().execute(async (tx: Database) => {
      const due = await markDueReminders(tx, batch)
      for (const alerteId of due) await jobs.enqueue(tx, remind, { alerteId })
      return due.length
    }),
  )
}

export function remindHandler({ db, mailer, config }: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  return handle(remind, async ({ alerteId }, context) => {
    const alerte = await findEndlessAlerte(db, alerteId)
    const address = alerte?.address == null ? null : parseMailAddress(alerte.address)
    if (alerte === null || address === null) return cancelRowMail(db, reminderMails, alerteId)
    const mail = reminderMail(alerte, address, config.mail.from)
    await sendRowMail({ db, mailer }, reminderMails, alerteId, mail, context)
  })
}

export const reminderSchedule: Schedule = schedule(findDue, '10 9 * * *', {})
