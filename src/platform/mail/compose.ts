import { type MailSender, parseMailAddress } from '../formats/mail-address.ts'
import type { Mail } from './mail.ts'

export type ComposedMail = {
  messageId: string
  envelope: { from: string; to: string }
  /** The whole message with CRLF line ends. */
  content: Buffer
}

/** Returns why this mail can never be sent, or null. */
export function findMailFault(mail: Mail): string | null {
  if (!parseMailAddress(mail.to)) return 'the recipient is not one plain mail address'
  if (mail.replyTo !== undefined && !parseMailAddress(mail.replyTo)) {
    return 'the reply-to is not one plain mail address'
  }
  if (mail.bouncesTo !== undefined && !parseMailAddress(mail.bouncesTo)) {
    return 'the address for bounces is not one plain mail address'
  }
  const ids = [mail.messageId, ...(mail.references ?? []), ...(mail.inReplyTo ? [mail.inReplyTo] : [])]
  return ids.every((id) => MESSAGE_ID.test(id)) ? null : 'a message id is not <left@right>'
}

/** Composes a valid mail, marked as automatic unless a person wrote it (RFC 3834). */
export async function composeMail(sender: MailSender, mail: Mail): Promise<ComposedMail> {
  const to = plainAddress(mail.to)
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const composer = new MailComposer({
    from: sender,
    to: { name: '', address: to },
    replyTo: mail.replyTo === undefined ? undefined : { name: '', address: plainAddress(mail.replyTo) },
    subject: plainSubject(mail.subject),
    messageId: mail.messageId,
    inReplyTo: mail.inReplyTo,
    references: boundedReferences(mail.references ?? []),
    headers: {
      ...(!mail.isWritten && { 'Auto-Submitted': 'auto-generated' }),
      ...(mail.unsubscribe !== undefined && {
        'List-Unsubscribe': `<${mail.unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    text: plainLines(mail.text),
    html: mail.html === undefined ? undefined : plainLines(mail.html),
    // Keeps lines short and line breaks canonical for any text; base64 would carry bare LF.
    encoding: 'quoted-printable',
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const content = await composer.compile().build()
  const from = mail.bouncesTo === undefined ? sender.address : plainAddress(mail.bouncesTo)
  return { messageId: mail.messageId, envelope: { from, to }, content }
}

const MESSAGE_ID = /^<[!-;=?A-Z[-~]{1,100}@[!-;=?A-Z[-~]{1,100}>$/

function plainAddress(text: string): string {
  const address = parseMailAddress(text)
  if (!address) throw new Error('composeMail was given a mail with a fault')
  return address
}

const plainLines = (text: string) => text.toWellFormed().replace(/\r\n?/g, '\n')

/** Returns the subject as one bounded line that no reader decodes as an encoded word. */
function plainSubject(subject: string): string {
  const line = subject
    .toWellFormed()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll('=?', '= ?')
    .trim()
  const characters = [...line]
  return characters.length > 250 ? `${characters.slice(0, 249).join('')}…` : line
}

/**
 * Limits the references, because servers limit header sizes: the first message and the latest ones keep a
 * thread together.
 */
function boundedReferences(ids: string[]): string[] {
  return ids.length > 20 ? [...ids.slice(0, 1), ...ids.slice(-19)] : ids
}
