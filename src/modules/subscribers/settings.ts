import { type Settings, wholeNumber } from '../../platform/config/settings.ts'

export const subscribersSettings = {
  name: 'subscribers',
  read: (read) => ({
    /** Mails of broadcasts that all instances together hand over per second. */
    mailRate: read.or('MAIL_RATE', wholeNumber('mails per second', 1_000), 20),
  }),
} satisfies Settings<{ mailRate: number }>
