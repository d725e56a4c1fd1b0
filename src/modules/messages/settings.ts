import { parseMailAddress } from '../../platform/mail/mail-address.ts'
import { must, type Settings } from '../../platform/settings.ts'

export const messagesSettings = {
  name: 'messages',
  read: (read) => ({
    replyTo: read.optional('SUPPORT_REPLY_TO', (value) => parseMailAddress(value) ?? raiseNoAddress()),
  }),
} satisfies Settings<{ replyTo: string | null }>

function raiseNoAddress(): never {
  throw must('one plain mail address, as in support@example.fr')
}
