import { list, must, type Parse, type Settings, text, wholeNumber } from '../../platform/config/settings.ts'

export const subscribersSettings = {
  name: 'subscribers',
  read: (read) => ({
    /** Mails of broadcasts that all instances together hand over per second. */
    mailRate: read.or('MAIL_RATE', wholeNumber('mails per second', 1_000), 20),
    /** Whom push services write to about misuse; null: derived from PUBLIC_URL and MAIL_FROM. */
    vapidSubject:
      read.optional('VAPID_SUBJECT', subject) ?? subjectOfContact(read.optional('SITE_CONTACT', text)),
    /** Hosts whose endpoints are taken, as `isPushService` reads them. */
    pushServices: read.or('PUSH_SERVICES', list(pushService), knownPushServices),
  }),
} satisfies Settings<{ mailRate: number; vapidSubject: string | null; pushServices: string[] }>

/** Those of Chrome and what is built on it, Firefox, Safari and Edge. */
const knownPushServices = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
]

const pushService: Parse<string> = (value) => {
  const host = value.toLowerCase()
  if (host === '*' || /^(?:\*\.)?[\w.-]+(?::\d+)?$|^\[[\da-f:.]+\](?::\d+)?$/.test(host)) return host
  throw must('a list of hosts such as push.example.org, *.example.org or 127.0.0.1:8443, or *')
}

/** Whether an address belongs to one of the services: the same host and port, one below `*.host`, or any for `*`. */
export function isPushService({ host }: URL, services: readonly string[]): boolean {
  return services.some(
    (service) =>
      service === '*' || service === host || (service.startsWith('*.') && host.endsWith(service.slice(1))),
  )
}

/** RFC 8292 allows both forms; some push services refuse others. */
const subject: Parse<string> = (value) => {
  if (/^mailto:[^\s@<>"]+@[^\s@<>"]+$/.test(value)) return value
  if (URL.parse(value)?.protocol === 'https:') return value
  throw must('mailto: with an e-mail address, or an https URL')
}

/** The contact of the site, whose form its own setting checks. */
const subjectOfContact = (contact: string | null): string | null =>
  contact === null || contact.startsWith('https:') ? contact : `mailto:${contact}`
