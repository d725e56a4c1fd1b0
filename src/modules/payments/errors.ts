import { type Errors, errorOf } from '../../platform/errors.ts'

export const paymentsErrors = {
  invalid_webhook_signature: {
    status: 400,
    en: 'The signature is missing, invalid or too old.',
    fr: 'La signature est absente, invalide ou trop ancienne.',
  },
} satisfies Errors

export const invalidWebhookSignature = errorOf(paymentsErrors, 'invalid_webhook_signature')
