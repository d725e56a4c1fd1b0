import { must, type Parse, type Settings, text, wholeNumber } from '../../platform/config/settings.ts'

export const subscribersSettings = {
  name: 'subscribers',
  read: (read) => ({
    /** Mails of broadcasts that all instances together hand over per second. */
    mailRate: read.or('MAIL_RATE', wholeNumber('mails per second', 1_000), 20),
    /** Whom push services write to about misuse; null: derived from PUBLIC_URL and MAIL_FROM. */
    vapidSubject:
      read.optional('VAPID_SUBJECT', subject) ?? subjectOfContact(read.optional('SITE_CONTACT', text)),
  }),
} satisfies Settings<{ mailRate: number; vapidSubject: string | null }>

/** RFC 8292 allows both forms; some push services refuse others. */
const subject: Parse<string> = (value) => {
  if (/^mailto:[^\s@<>"]+@[^\s@<>"]+$/.test(value)) return value
  if (URL.parse(value)?.protocol === 'https:') return value
  throw must('mailto: with an e-mail address, or an https URL')
}

/** The contact of the site, whose form its own setting checks. */
const subjectOfContact = (contact: string | null): string | null =>
  contact === null || contact.startsWith('https:') ? contact : `mailto:${contact}`
