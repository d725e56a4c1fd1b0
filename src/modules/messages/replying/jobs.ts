import Type from 'typebox'
import { settingsOf } from '../../../platform/config.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import { type MailKind, mailTries, sendRowMail } from '../../../platform/mail/row-mails.ts'
import type { Deps } from '../../../platform/module.ts'
import { messagesSettings } from '../settings.ts'
import { replyMail } from './mail.ts'
import { findReply } from './queries.ts'

export const sendReply = defineJob('messages.send-reply', Type.Object({ messageId: Type.String() }), {
  ...mailTries,
  concurrency: 2,
})

export const replyMails: MailKind = {
  name: 'support_reply',
  label: 'réponses du support',
  table: 'support_messages',
  queue: sendReply.name,
}

/** Mails an operator's reply, unless the thread was deleted meanwhile. */
export function sendReplyHandler({ db, mailer, config }: Pick<Deps, 'db' | 'mailer' | 'config'>): Handler {
  const { replyTo } = settingsOf(config, messagesSettings)
  return handle(sendReply, async ({ messageId }, context) => {
    const reply = await findReply(db, messageId)
    if (reply === null) return
    const mail = replyMail(reply, replyTo)
    await sendRowMail({ db, mailer }, replyMails, messageId, mail, { ...context, job: sendReply })
  })
}
