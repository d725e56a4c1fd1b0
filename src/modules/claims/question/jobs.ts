import { sql } from 'kysely'
import Type from 'typebox'
import { settingsOf } from '../../../platform/config/config.ts'
import { parseMailAddress } from '../../../platform/formats/mail-address.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import {
  cancelRowMail,
  type ListedMailKind,
  mailTries,
  sendRowMail,
} from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { messagesSettings } from '../../messages/settings.ts'
import { questionMail } from './mail.ts'
import { findQuestion } from './queries.ts'

export const mailQuestion = defineJob(
  'claims.mail-question',
  Type.Object({ questionId: Type.String() }),
  mailTries,
)

export const questionMails: ListedMailKind = {
  name: 'claim_question',
  table: 'claim_questions',
  queue: mailQuestion.name,
  title: { fr: 'Question sur une revendication', en: 'Question about a claim' },
  entity: 'claim',
  area: 'claims',
  recordId: sql`m.claim_id`,
  recordName: sql`(select a.nom from claims c join acteurs a on a.id = c.acteur_id where c.id = m.claim_id)`,
  recipient: sql`(
    select coalesce(c.email, u.email) from claims c left join users u on u.id = c.user_id where c.id = m.claim_id)`,
  isNeeded: sql`exists (select from claims c where c.id = m.claim_id and c.status = 'pending')`,
  enqueue: (tx, jobs, questionId) => jobs.enqueue(tx, mailQuestion, { questionId }),
}

/** Mails a question to the claimant, unless the claim was decided or expired meanwhile. */
export function questionHandler({ db, mailer, config }: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  const { replyTo } = settingsOf(config, messagesSettings)
  return handle(mailQuestion, async ({ questionId }, context) => {
    const question = await findQuestion(db, questionId)
    const address = question?.address == null ? null : parseMailAddress(question.address)
    if (question === null || address === null) return cancelRowMail(db, questionMails, questionId)
    const mail = questionMail(question, { to: address, from: config.mail.from, replyTo })
    await sendRowMail({ db, mailer }, questionMails, questionId, mail, context)
  })
}
