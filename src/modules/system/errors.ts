import { type Errors, errorOf } from '../../platform/errors.ts'

export const systemErrors = {
  no_address: {
    status: 409,
    en: 'Your account has no e-mail address.',
    fr: 'Votre compte n’a pas d’adresse e-mail.',
  },
} satisfies Errors

export const noAddress = errorOf(systemErrors, 'no_address')
