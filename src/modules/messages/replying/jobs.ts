import { sql } from 'kysely'
import Type from 'typebox'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import { type ListedMailKind, mailTries, sendRowMail } from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { answersTo } from '../inbox/address.ts'
import { replyMail } from './mail.ts'
import { findReply } from './queries.ts'

export const sendReply = defineJob('messages.send-reply', Type.Object({ messageId: Type.String() }), {
  ...mailTries,
  concurrency: 2,
})

/** Delay of new replies, so that an undo can delete them. */
export const replyHoldMs = 10_000

export const replyMails: ListedMailKind = {
  name: 'support_reply',
  named: 'support-',
  table: 'support_messages',
  queue: sendReply.name,
  title: { fr: 'Réponse de l’assistance', en: 'Support reply' },
  entity: 'thread',
  area: 'messages',
  recordId: sql`m.thread_id`,
  recordName: sql`(select t.subject from support_threads t where t.id = m.thread_id)`,
  recipient: sql`(select t.email from support_threads t where t.id = m.thread_id)`,
  isNeeded: sql`true`,
  holdMs: replyHoldMs,
  enqueue: (tx, jobs, messageId) => jobs.enqueue(tx, sendReply, { messageId }),
}

/** Mails an operator's reply, unless the reply or its thread was deleted meanwhile. */
export function sendReplyHandler({ db, mailer, config }: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  return handle(sendReply, async ({ messageId }, context) => {
    const reply = await findReply(db, messageId)
    if (reply === null) return
    const mail = replyMail(reply, answersTo(config, `${replyMails.named}${messageId}`))
    await sendRowMail({ db, mailer }, replyMails, messageId, mail, context)
  })
}
