import { must, type Reader, type Settings } from '../../platform/config/settings.ts'
import { StartError } from '../../platform/config/start-error.ts'
import { raise } from '../../platform/errors.ts'
import { parseMailAddress } from '../../platform/formats/mail-address.ts'
import { type MailBox, parseMailBoxUrl } from '../../platform/formats/mail-url.ts'

const rule = 'one plain mail address, as in support@example.fr'
const inboxRule =
  'one plain mail address, as in reponse@example.fr, or with a place for a token, as in reponse+{token}@example.fr'

/** A mailbox from which answers are read. `address`: where they go; a mail replaces `{token}` by its own name. */
export type Inbox = { box: MailBox; address: string }

export const token = '{token}'

/** The longest name of a mail whose answers are read. */
const longestName = 'team-invitation-00000000-0000-0000-0000-000000000000'

export const messagesSettings = {
  name: 'messages',
  read: (read) => ({
    /** Null if nobody reads replies to support mails. */
    replyTo: read.optional('SUPPORT_REPLY_TO', (value) => parseMailAddress(value) ?? raise(must(rule))),
    inbox: readInbox(read),
  }),
} satisfies Settings<{ replyTo: string | null; inbox: Inbox | null }>

function readInbox(read: Reader): Inbox | null {
  const box = read.optional('MAIL_INBOX_URL', parseMailBoxUrl)
  const given = read.optional('MAIL_INBOX_ADDRESS', parseInboxAddress)
  if (box === null) return null
  const address = given ?? parseMailAddress(box.auth.user)
  if (address === null)
    throw new StartError('MAIL_INBOX_ADDRESS must be set: the user of MAIL_INBOX_URL is not a mail address.')
  return { box, address }
}

function parseInboxAddress(value: string): string {
  const [before = '', ...after] = value.split(token)
  if (after.length > 1 || parseMailAddress([before, ...after].join('x')) === null) throw must(inboxRule)
  if (after.length === 1 && !/@/.test(after[0] ?? '')) throw must(inboxRule)
  if (parseMailAddress(value.replace(token, longestName)) === null)
    throw must('shorter: at most 64 characters may stand before the @, and a token takes 52 of them')
  return value
}
