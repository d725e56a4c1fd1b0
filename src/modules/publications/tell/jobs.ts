import Type from 'typebox'
import type { SignedIn } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import { parseMailAddress } from '../../../platform/mail/mail-address.ts'
import { type MailKind, mailHoldMs, mailTries, sendRowMail } from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { uuidv7 } from '../../../platform/uuid.ts'
import { authorMail } from './mail.ts'
import { dropMail, findMail, insertMails, type MailReason } from './queries.ts'

/** Sends an author the mail about a rejection or correction. */
const tellAuthor = defineJob('publications.tell-author', Type.Object({ mailId: Type.String() }), mailTries)

export const authorMails: MailKind = {
  name: 'publication_decision',
  label: 'décisions sur des publications',
  table: 'publication_mails',
  queue: tellAuthor.name,
}

type Told = { kind: MailReason; decisionId: string | null; publicationIds: string[]; reason?: string | null }

/** Enqueues mails to the authors of these publications, with a delay in which an undo can delete them. */
export async function queueMails(
  tx: Database,
  { jobs }: Pick<Deps, 'jobs'>,
  { user }: SignedIn,
  { kind, decisionId, publicationIds, reason = null }: Told,
): Promise<void> {
  if (publicationIds.length === 0) return
  const mails = publicationIds.map((publication_id) => ({ id: uuidv7(), publication_id }))
  const startAfter = new Date(Date.now() + mailHoldMs)
  for (const mailId of await insertMails(tx, mails, { kind, decisionId, reason, callerId: user.id }))
    await jobs.enqueue(tx, tellAuthor, { mailId }, { startAfter })
}

export function tellAuthorHandler({ db, mailer, config }: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  return handle(tellAuthor, async ({ mailId }, context) => {
    const found = await findMail(db, mailId)
    const address = found === null ? null : parseMailAddress(found.address)
    if (found === null || address === null) return dropMail(db, mailId)
    const mail = authorMail(found, address, config.mail.from)
    await sendRowMail({ db, mailer }, authorMails, mailId, mail, { ...context, job: tellAuthor })
  })
}
