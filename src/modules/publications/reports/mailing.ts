import { sql } from 'kysely'
import Type from 'typebox'
import { tokenOf } from '../../../platform/access/sealed-addresses.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import { enqueueLost } from '../../../platform/jobs/rows.ts'
import {
  deleteRowMail,
  type ListedMailKind,
  mailHoldMs,
  mailTries,
  sendRowMail,
  unnamed,
} from '../../../platform/mail/row-mails.ts'
import { siteAddress } from '../../../platform/mail/site.ts'
import type { Deps } from '../../../platform/module.ts'
import type { Ground } from '../../grounds/grounds.ts'
import { objectionLinks } from '../../grounds/objecting.ts'
import { originsOf } from '../origins.ts'
import { reporterAddresses } from './addresses.ts'
import {
  contestable,
  type EndedBy,
  type Following,
  langueOfReporter,
  type Outcome,
  titleAt,
} from './cases.ts'
import { reporterMail } from './mail.ts'

/**
 * A receipt is enqueued with its report. Mails of an outcome, and of what follows it, are rows that the database writes in the
 * transaction that ends the case (`settle_report_cases`); each minute, a job enqueues those that an undo can no longer cancel.
 */
const mailReporter = defineJob('publications.tell-reporter', Type.Object({ mailId: Type.String() }), {
  ...mailTries,
  concurrency: 2,
})
const mailDue = defineJob('publications.tell-reporters', Type.Object({}))

/** Listed without the address: nobody sees who reports. */
export const reporterMails: ListedMailKind = {
  name: 'report_outcome',
  table: 'report_mails',
  queue: mailReporter.name,
  ...unnamed,
  named: 'signalement-',
  title: { fr: 'Réponse à un signalement', en: 'Answer to a report' },
  holdMs: mailHoldMs,
  entity: 'publication',
  recordId: sql`(select c.publication_id from report_cases c where c.id = m.case_id)`,
}

export const enqueueMail = (tx: Database, jobs: Pick<Deps['jobs'], 'enqueue'>, mailId: string) =>
  jobs.enqueue(tx, mailReporter, { mailId }, { singletonKey: mailId })

export const mailDueSchedule: Schedule = schedule(mailDue, '* * * * *', {})

/** Enqueues the mails that are due, also those whose job was lost. */
export function mailDueHandler({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Handler {
  return handle(mailDue, async () => {
    const { rows } = await sql<{ id: string }>`
      select id from report_mails
      where email_status = 'queued' and created_at <= now() - make_interval(secs => ${mailHoldMs / 1_000})
      order by email_status_at limit 1000`.execute(db)
    const ids = rows.map(({ id }) => id)
    await enqueueLost({ db, jobs }, mailReporter, ids, (mailId) => ({ mailId }))
  })
}

/** Sends one mail to a reporter. */
export function mailReporterHandler(deps: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  const { db, config } = deps
  const addresses = reporterAddresses(config.sessionKeys)
  const links = objectionLinks(config)
  return handle(mailReporter, async ({ mailId: id }, context) => {
    const found = await findMail(db, id)
    if (found === null) return deleteRowMail(db, reporterMails, id)
    const { case_id, publication_id, reporter_id, address, isConfirmed, ...about } = found
    const contents = addresses.open(reporter_id, address)
    if (contents === null) throw new Error('SESSION_KEY does not decrypt the address of a reporter')
    const origin = (await originsOf(db, config, [publication_id]))(publication_id)
    const link = isConfirmed
      ? null
      : siteAddress(config, `signalement/${tokenOf(reporter_id, contents.secret)}`, origin)
    const isContestable =
      about.outcome !== null && contestable.includes(about.outcome) && about.followed_by === null
    const objection = isContestable
      ? links.linkOf({ about: 'case', id: case_id, by: reporter_id }, origin)
      : null
    const contact = siteAddress(config, 'contact', origin)
    const mail = reporterMail(
      { id, ...about, name: isConfirmed ? contents.name : null, link, objection, contact },
      { to: contents.address, from: config.mail.from },
    )
    await sendRowMail(deps, reporterMails, id, mail, context)
  })
}

type Found = {
  kind: 'receipt' | 'outcome' | 'followed'
  case_id: string
  publication_id: string
  reporter_id: string
  address: Buffer
  isConfirmed: boolean
  langue: 'fr' | 'en'
  title: string
  outcome: Outcome | null
  ended_by: EndedBy | null
  ground: Ground | null
  followed_by: Following | null
}

async function findMail(db: Database, id: string): Promise<Found | null> {
  const { rows } = await sql<Found>`
    select m.kind, m.case_id, c.publication_id, m.reporter_id, r.address, r.confirmed_at is not null as "isConfirmed", ${titleAt(sql`c.opened_at`)} as title,
      c.outcome, c.ended_by, c.ground, c.followed_by, ${langueOfReporter(sql`m.case_id`, sql`m.reporter_id`)} as langue
    from report_mails m join reporters r on r.id = m.reporter_id
    join report_cases c on c.id = m.case_id join publications p on p.id = c.publication_id
    where m.id = ${id}`.execute(db)
  return rows[0] ?? null
}
