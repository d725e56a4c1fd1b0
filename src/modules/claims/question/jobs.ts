import Type from 'typebox'
import { settingsOf } from '../../../platform/config.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import { parseMailAddress } from '../../../platform/mail/mail-address.ts'
import { type MailKind, mailTries, sendRowMail } from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { messagesSettings } from '../../messages/settings.ts'
import { questionMail } from './mail.ts'
import { cancelQuestion, findQuestion } from './queries.ts'

export const mailQuestion = defineJob(
  'claims.mail-question',
  Type.Object({ questionId: Type.String() }),
  mailTries,
)

export const questionMails: MailKind = {
  name: 'claim_question',
  label: 'questions sur des demandes',
  table: 'claim_questions',
  queue: mailQuestion.name,
}

/** Mails a question to the claimant, unless the claim was decided or expired meanwhile. */
export function questionHandler({ db, mailer, config }: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  const { replyTo } = settingsOf(config, messagesSettings)
  return handle(mailQuestion, async ({ questionId }, context) => {
    const question = await findQuestion(db, questionId)
    const address = question?.address == null ? null : parseMailAddress(question.address)
    if (question === null || address === null) return cancelQuestion(db, questionId)
    const mail = questionMail(question, { to: address, from: config.mail.from, replyTo })
    await sendRowMail({ db, mailer }, questionMails, questionId, mail, { ...context, job: mailQuestion })
  })
}
