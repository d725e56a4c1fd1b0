import { type Errors, errorOf } from '../../platform/errors.ts'

export const signInErrors = {
  address_set_elsewhere: {
    status: 409,
    en: 'The address of this account comes from the service that it signs in with: change it there.',
    fr: 'L’adresse de ce compte vient du service par lequel il se connecte : changez-la là-bas.',
  },
} satisfies Errors

export const addressSetElsewhere = errorOf(signInErrors, 'address_set_elsewhere')
