import { type Errors, errorOf } from '../../platform/errors.ts'

export const mailsErrors = {
  mail_not_needed: {
    status: 409,
    en: 'The reason to send this mail no longer exists.',
    fr: 'La raison d’envoyer ce courriel n’existe plus.',
  },
} satisfies Errors

export const mailNotNeeded = errorOf(mailsErrors, 'mail_not_needed')
