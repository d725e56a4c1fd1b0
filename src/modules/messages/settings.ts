import { must, type Settings } from '../../platform/config/settings.ts'
import { raise } from '../../platform/errors.ts'
import { parseMailAddress } from '../../platform/formats/mail-address.ts'

const rule = 'one plain mail address, as in support@example.fr'

export const messagesSettings = {
  name: 'messages',
  read: (read) => ({
    /** Null if nobody reads replies to support mails. */
    replyTo: read.optional('SUPPORT_REPLY_TO', (value) => parseMailAddress(value) ?? raise(must(rule))),
  }),
} satisfies Settings<{ replyTo: string | null }>
