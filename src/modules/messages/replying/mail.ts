import { htmlOf } from '../../../platform/mail/html.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import type { ReplyRow } from './queries.ts'

/**
 * Builds the mail of a reply and tells the recipient how to continue. The author of the thread chose the
 * recipient, so the mail quotes nothing from the author, neither in the subject nor in the body.
 */
export function replyMail(reply: ReplyRow, answers: Pick<Mail, 'replyTo' | 'bouncesTo'>): Mail {
  const { message_id, email, number, body, references, langue } = reply
  const { subject, reminder, unread } = texts[langue](number)
  const inReplyTo = references.at(-1)
  const text = `${body}\n\n-- \n${answers.replyTo === undefined ? unread : reminder}\n`
  return {
    messageId: message_id,
    to: email,
    subject,
    text,
    html: htmlOf(text, langue),
    references,
    isWritten: true,
    ...(inReplyTo !== undefined && { inReplyTo }),
    ...answers,
  }
}

const texts = {
  fr: (number: number) => ({
    subject: `Réponse à votre message [n° ${number}]`,
    reminder: `Votre message n° ${number}`,
    unread: `Les réponses à ce courriel ne sont pas lues. Pour nous écrire de nouveau, passez par le formulaire de contact en rappelant votre message n° ${number}.`,
  }),
  en: (number: number) => ({
    subject: `Reply to your message [no. ${number}]`,
    reminder: `Your message no. ${number}`,
    unread: `Replies to this mail are not read. To write to us again, use the contact form and mention your message no. ${number}.`,
  }),
}
