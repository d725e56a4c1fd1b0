import { type Errors, errorOf } from '../../platform/errors.ts'

export const paymentsErrors = {
  invalid_webhook_signature: {
    status: 400,
    en: 'The signature is missing, not ours, or too old.',
    fr: 'La signature est absente, inconnue ou trop ancienne.',
  },
} satisfies Errors

export const invalidWebhookSignature = errorOf(paymentsErrors, 'invalid_webhook_signature')
