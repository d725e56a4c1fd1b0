import { sql } from 'kysely'
import Type from 'typebox'
import type { SignedIn } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { parseMailAddress } from '../../../platform/formats/mail-address.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import {
  deleteRowMail,
  type ListedMailKind,
  mailHoldMs,
  mailTries,
  sendRowMail,
} from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { authorMail } from './mail.ts'
import { findMail, insertMails, insertMissingMails, type MailReason, neededMail } from './queries.ts'

/** Sends an author the mail about a rejection or correction. */
const mailAuthor = defineJob('publications.tell-author', Type.Object({ mailId: Type.String() }), mailTries)

export const authorMails: ListedMailKind = {
  name: 'publication_decision',
  table: 'publication_mails',
  queue: mailAuthor.name,
  title: { fr: 'Rejet ou correction d’une publication', en: 'Rejection or correction of a publication' },
  entity: 'publication',
  area: 'publications',
  holdMs: mailHoldMs,
  recordId: sql`m.publication_id`,
  recordName: sql`(select p.title from publications p where p.id = m.publication_id)`,
  recipient: sql`(
    select u.email from publications p join users u on u.id = p.created_by where p.id = m.publication_id)`,
  isNeeded: sql`exists (select from (${neededMail}) needed where needed.id = m.id)`,
  enqueue: (tx, jobs, mailId) => jobs.enqueue(tx, mailAuthor, { mailId }),
}

type MailRequest = {
  kind: MailReason
  decisionId: string | null
  publicationIds: string[]
  reason?: string | null
}

/** Enqueues mails to the authors of these publications, with a delay in which an undo can delete them. */
export async function queueMails(
  tx: Database,
  { jobs }: Pick<Deps, 'jobs'>,
  { user }: SignedIn,
  { kind, decisionId, publicationIds, reason = null }: MailRequest,
): Promise<void> {
  if (publicationIds.length === 0) return
  const about = { kind, decisionId, reason, callerId: user.id }
  await enqueueHeld(tx, jobs, await insertMails(tx, newMails(publicationIds), about))
}

/** Enqueues the mails about rejections that count again after an undo, if they have none. */
export async function queueMissingMails(tx: Database, jobs: Jobs, publicationIds: string[]): Promise<void> {
  await enqueueHeld(tx, jobs, await insertMissingMails(tx, newMails(publicationIds)))
}

const newMails = (publicationIds: string[]) =>
  publicationIds.map((publication_id) => ({ id: uuidv7(), publication_id }))

async function enqueueHeld(tx: Database, jobs: Jobs, mailIds: string[]): Promise<void> {
  const startAfter = new Date(Date.now() + mailHoldMs)
  for (const mailId of mailIds) await jobs.enqueue(tx, mailAuthor, { mailId }, { startAfter })
}

export function mailAuthorHandler({ db, mailer, config }: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  return handle(mailAuthor, async ({ mailId }, context) => {
    const found = await findMail(db, mailId)
    const address = found === null ? null : parseMailAddress(found.address)
    if (found === null || address === null) return deleteRowMail(db, authorMails, mailId)
    const url = config.backoffice ? config.publicUrl : null
    const mail = authorMail(found, address, { from: config.mail.from, url })
    await sendRowMail({ db, mailer }, authorMails, mailId, mail, context)
  })
}
