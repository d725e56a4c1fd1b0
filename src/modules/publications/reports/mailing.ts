import { sql } from 'kysely'
import Type from 'typebox'
import { tokenOf } from '../../../platform/access/sealed-addresses.ts'
import type { Config } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import { deleteRowMail, type MailKind, mailTries, sendRowMail } from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { reporterAddresses } from './addresses.ts'
import { receiptMail } from './mail.ts'

export const mailReporter = defineJob('publications.tell-reporter', Type.Object({ mailId: Type.String() }), {
  ...mailTries,
  concurrency: 2,
})

/** Not listed in the back-office: nobody sees who reports. */
export const reporterMails: MailKind = {
  name: 'report_outcome',
  table: 'report_mails',
  queue: mailReporter.name,
}

/** Sends one mail to a reporter. */
export function mailReporterHandler(deps: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  const { db, config } = deps
  const addresses = reporterAddresses(config.sessionKeys)
  return handle(mailReporter, async ({ mailId: id }, context) => {
    const found = await findMail(db, id)
    if (found === null) return deleteRowMail(db, reporterMails, id)
    const contents = addresses.open(found.reporter_id, found.address)
    if (contents === null) throw new Error('SESSION_KEY does not decrypt the address of a reporter')
    const about = {
      id,
      title: found.title,
      name: found.isConfirmed ? contents.name : null,
      link: found.isConfirmed ? null : linkOf(config, tokenOf(found.reporter_id, contents.secret)),
    }
    const envelope = { to: contents.address, from: config.mail.from }
    await sendRowMail(deps, reporterMails, id, receiptMail(about, envelope), context)
  })
}

/** The page that confirms an address; null without the site. */
const linkOf = ({ hasSite, publicSiteUrl, publicUrl }: Config, token: string): string | null =>
  hasSite ? `${publicSiteUrl ?? publicUrl}/signalement/${token}` : null

type Found = {
  reporter_id: string
  address: Buffer
  isConfirmed: boolean
  title: string
}

async function findMail(db: Database, id: string): Promise<Found | null> {
  const { rows } = await sql<Found>`
    select m.reporter_id, r.address, r.confirmed_at is not null as "isConfirmed", p.title
    from report_mails m join reporters r on r.id = m.reporter_id
    join report_cases c on c.id = m.case_id join publications p on p.id = c.publication_id
    where m.id = ${id}`.execute(db)
  return rows[0] ?? null
}
