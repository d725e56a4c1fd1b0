import { type Errors, errorOf } from '../../platform/errors.ts'

export const decisionsErrors = {
  undo_expired: {
    status: 409,
    en: 'A decision can be undone for 15 minutes only.',
    fr: 'Une décision ne peut être annulée que pendant 15 minutes.',
  },
  mail_sent: {
    status: 409,
    en: 'The mail to the claimant has already been sent, or written to the outbox.',
    fr: 'Le courriel à la personne qui revendique est déjà parti, ou écrit dans la boîte d’envoi.',
  },
} satisfies Errors

export const undoExpired = errorOf(decisionsErrors, 'undo_expired')
export const mailSent = errorOf(decisionsErrors, 'mail_sent')
