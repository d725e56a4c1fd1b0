import { sql } from 'kysely'
import Type from 'typebox'
import { parseMailAddress } from '../../../platform/formats/mail-address.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import {
  type AnsweredMail,
  cancelRowMail,
  type ListedMailKind,
  mailTries,
  sendRowMail,
} from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { answersTo } from '../../messages/inbox/address.ts'
import { questionMail } from './mail.ts'
import { findQuestion, findQuestionRecord } from './queries.ts'

export const mailQuestion = defineJob(
  'claims.mail-question',
  Type.Object({ questionId: Type.String() }),
  mailTries,
)

export const questionMails: ListedMailKind = {
  name: 'claim_question',
  named: 'claim-question-',
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

export const answeredQuestions: AnsweredMail = {
  named: questionMails.named,
  record: 'claim',
  async find({ db }, id) {
    const question = await findQuestionRecord(db, id)
    return question === null ? null : { recordId: question.claim_id, address: question.address }
  },
}

/** Mails a question to the claimant, unless the claim was decided or expired meanwhile. */
export function questionHandler({ db, mailer, config }: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  return handle(mailQuestion, async ({ questionId }, context) => {
    const question = await findQuestion(db, questionId)
    const address = question?.address == null ? null : parseMailAddress(question.address)
    if (question === null || address === null) return cancelRowMail(db, questionMails, questionId)
    const answers = answersTo(config, `${questionMails.named}${questionId}`)
    const mail = questionMail(question, { to: address, from: config.mail.from, answers })
    await sendRowMail({ db, mailer }, questionMails, questionId, mail, context)
  })
}
