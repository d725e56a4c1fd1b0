import { list, type Settings, text } from '../../platform/settings.ts'
import { type Plans, plansFile } from './plans.ts'

type PaymentsSettings = {
  /** While one follows another both are here. None: no delivery is believed. */
  signingSecrets: string[]
  plans: Plans
}

export const paymentsSettings = {
  name: 'payments',
  read: (read) => ({
    signingSecrets: read.or('PAYMENT_SIGNING_SECRETS', list(text), []),
    plans: read.or('PLANS_FILE', plansFile, new Map()),
  }),
  keep: (settings, secret) =>
    settings.signingSecrets.length > 0
      ? settings
      : { ...settings, signingSecrets: [secret(keptSigningSecret)] },
} satisfies Settings<PaymentsSettings>

/** Its name among the secrets that are kept with the embedded database. */
export const keptSigningSecret = 'paymentSigningSecret'
