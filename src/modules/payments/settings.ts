import { list, type Settings, text } from '../../platform/config/settings.ts'
import { type Plans, plansFile } from './plans.ts'

type PaymentsSettings = {
  /** Two during a rotation. If empty, every delivery is refused. */
  signingSecrets: string[]
  plans: Plans
}

export const paymentsSettings = {
  name: 'payments',
  read: (read) => ({
    signingSecrets: read.or('PAYMENT_SIGNING_SECRETS', list(text), []),
    plans: read.or('PLANS_FILE', plansFile, new Map()),
  }),
  fillStored: (settings, secret) =>
    settings.signingSecrets.length > 0
      ? settings
      : { ...settings, signingSecrets: [secret(storedSigningSecret)] },
} satisfies Settings<PaymentsSettings>

/** Name of the secret among those stored with the embedded database. */
export const storedSigningSecret = 'paymentSigningSecret'
