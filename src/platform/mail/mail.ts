import { messageIdOf } from '../formats/mail-address.ts'
import { htmlOf } from './html.ts'

export type Mail = {
  /** `<left@right>`, chosen by the caller and kept across attempts. */
  messageId: string
  to: string
  subject: string
  text: string
  /** The text as HTML, for mail clients that show it. */
  html?: string
  inReplyTo?: string
  references?: string[]
  replyTo?: string
  /** Where servers report that the mail did not arrive; MAIL_FROM if it is absent. */
  bouncesTo?: string
  /** Address that ends a subscription by one POST (RFC 8058). */
  unsubscribe?: string
  /** A person wrote the text. All other mails are marked as automatic. */
  isWritten?: boolean
}

type Envelope = {
  to: string
  from: string
  /** Becomes the Message-ID, which stays the same across attempts: a mail server can detect duplicates. */
  name: string
  /** The language of the HTML; absent for a mail of plain text. */
  html?: 'fr' | 'en'
}

const dayIn = (locale: string) =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'Europe/Paris' })

/** Write a day as mails do: “20 novembre 2026”. */
export const days = { fr: dayIn('fr-FR'), en: dayIn('en-GB') }

/** Builds a mail of paragraphs. */
export function mailOf({ to, from, name, html }: Envelope, subject: string, paragraphs: string[]): Mail {
  const text = `${paragraphs.join('\n\n')}\n`
  return {
    messageId: messageIdOf(name, from),
    to,
    subject,
    text,
    ...(html !== undefined && { html: htmlOf(text, html) }),
  }
}

/**
 * The outcome of an attempt. `failed`: certainly not accepted; `retry` is true if a retry may succeed.
 * `uncertain`: the server received the whole message and never replied, so a retry might deliver it twice.
 * `error` is one line without addresses. `refused` says that the server refuses this recipient for good.
 */
export type MailOutcome =
  | { status: 'sent' }
  | { status: 'failed'; retry: boolean; error: string; refused?: 'recipient' }
  | { status: 'uncertain'; error: string }

/** Shortens a server's reply, which often quotes the recipient, to one bounded line without addresses. */
export function describeMailError(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text
    .slice(0, 1_000)
    .replace(/[\s\p{C}]+/gu, ' ')
    .replace(/[^\s<>"'(),:;]+@[^\s<>"'(),;]+/g, '(address)')
    .slice(0, 300)
}
