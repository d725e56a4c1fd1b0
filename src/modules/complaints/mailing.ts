import { sql } from 'kysely'
import Type from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/database/connect.ts'
import { parseMailAddress } from '../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { enqueueLost } from '../../platform/jobs/rows.ts'
import {
  type AnsweredMail,
  deleteRowMail,
  giveUpMails,
  type ListedMailKind,
  mailTries,
  sendRowMail,
  unnamed,
} from '../../platform/mail/row-mails.ts'
import type { Deps } from '../../platform/module.ts'
import { answersTo } from '../messages/inbox/address.ts'
import { reporterAddresses } from '../publications/reports/addresses.ts'
import { langueOfReporter } from '../publications/reports/cases.ts'
import { type About, complaintMail, named, nameOf } from './mail.ts'

const mailComplaint = defineJob('complaints.mail', Type.Object({ mailId: Type.String() }), mailTries)
const sweep = defineJob('complaints.sweep-mails', Type.Object({}))

/** Listed without the address: some go to reporters, whom nobody sees. */
export const complaintMails: ListedMailKind = {
  name: 'complaint',
  table: 'complaint_mails',
  queue: mailComplaint.name,
  ...unnamed,
  named,
  title: { fr: 'Réponse à une réclamation', en: 'Answer to a complaint' },
  entity: 'complaint',
  recordId: sql`m.complaint_id`,
}

export const answeredComplaints: AnsweredMail = {
  named,
  record: 'complaint',
  mail: complaintMails,
  async find({ db, config }, id) {
    const found = await findMail(db, id)
    return found === null ? null : { recordId: found.complaint_id, address: addressOf(config, found) }
  },
}

/** The address of the person who complains: an account's, or that of a reporter, which is encrypted. */
function addressOf(config: Config, { reporter_id, sealed, email }: Found): string | null {
  if (reporter_id === null || sealed === null) return email === null ? null : parseMailAddress(email)
  return reporterAddresses(config.sessionKeys).open(reporter_id, sealed)?.address ?? null
}

type NewMail = { complaintId: string; kind: About['kind']; userId: string | null }

/** Enqueues a mail about a complaint. `userId` null: to the reporter who complains. */
export async function queueMail(
  tx: Database,
  jobs: Pick<Deps['jobs'], 'enqueue'>,
  { complaintId, kind, userId }: NewMail,
): Promise<void> {
  const mailId = uuidv7()
  await tx
    .insertInto('complaint_mails')
    .values({ id: mailId, complaint_id: complaintId, kind, user_id: userId })
    .execute()
  await jobs.enqueue(tx, mailComplaint, { mailId }, { singletonKey: mailId })
}

/** Sends one mail; nothing to somebody without a verified address, who reads it in their space. */
export function mailComplaintHandler(deps: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  const { db, config } = deps
  return handle(mailComplaint, async ({ mailId }, context) => {
    const found = await findMail(db, mailId)
    if (found === null) return deleteRowMail(db, complaintMails, mailId)
    const {
      reporter_id: _reporter,
      sealed: _sealed,
      email: _email,
      complaint_id: _complaint,
      ...about
    } = found
    const to = addressOf(config, found)
    if (to === null) return deleteRowMail(db, complaintMails, mailId)
    const answers = answersTo(config, nameOf({ id: mailId, ...about }))
    const mail = complaintMail({ id: mailId, ...about }, { to, from: config.mail.from, answers })
    await sendRowMail(deps, complaintMails, mailId, mail, context)
  })
}

type Found = Omit<About, 'id'> & {
  complaint_id: string
  reporter_id: string | null
  sealed: Buffer | null
  email: string | null
}

async function findMail(db: Database, id: string): Promise<Found | null> {
  const { rows } = await sql<Found>`
    select m.kind, m.complaint_id, coalesce(u.langue, ${langueOfReporter(sql`c.case_id`, sql`c.reporter_id`)}) as langue, u.nom, c.title, c.case_id is not null as "isReport",
      s.entity is not distinct from 'acteur' as "isActeur", c.text, c.decision,
      c.answer, c.effect, c.decided_as, c.reporter_id, r.address as sealed,
      case when u.actif and u.email_verified then u.email end as email
    from complaint_mails m join complaints c on c.id = m.complaint_id
    left join statements s on s.id = c.statement_id
    left join users u on u.id = m.user_id left join reporters r on m.user_id is null and r.id = c.reporter_id
    where m.id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** Enqueues mails whose job was lost, and gives up those whose worker died. */
export function sweepMailsHandler({ db, jobs }: Pick<Deps, 'db' | 'jobs'>): Handler {
  return handle(sweep, async () => {
    const { rows } = await sql<{ id: string }>`
      select id from complaint_mails where email_status = 'queued' order by email_status_at limit 1000`.execute(
      db,
    )
    await enqueueLost(
      { db, jobs },
      mailComplaint,
      rows.map(({ id }) => id),
      (mailId) => ({ mailId }),
    )
    await giveUpMails(db, complaintMails)
  })
}

export const sweepMailsSchedule: Schedule = schedule(sweep, '41 * * * *', {})
