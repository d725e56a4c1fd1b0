import { htmlOf } from '../../../platform/mail/html.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import type { ReplyRow } from './queries.ts'

/**
 * Builds the mail of a reply and tells the recipient how to continue. The author of the thread chose the
 * recipient, so the mail quotes nothing from the author, neither in the subject nor in the body.
 */
export function replyMail(reply: ReplyRow, replyTo: string | null): Mail {
  const { message_id, email, number, body, references } = reply
  const inReplyTo = references.at(-1)
  const text = `${body}\n\n-- \n${replyTo === null ? unread(number) : `Votre message n° ${number}`}\n`
  return {
    messageId: message_id,
    to: email,
    subject: `Réponse à votre message [n° ${number}]`,
    text,
    html: htmlOf(text),
    references,
    ...(inReplyTo !== undefined && { inReplyTo }),
    ...(replyTo !== null && { replyTo }),
  }
}

const unread = (number: number) =>
  `Les réponses à ce courriel ne sont pas lues. Pour nous écrire de nouveau, passez par le formulaire de contact en rappelant votre message n° ${number}.`
