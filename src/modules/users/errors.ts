import { type Errors, errorOf } from '../../platform/errors.ts'

export const usersErrors = {
  last_admin: {
    status: 409,
    en: 'The last administrator cannot be removed.',
    fr: 'Impossible de retirer le dernier administrateur.',
  },
} satisfies Errors

export const lastAdmin = errorOf(usersErrors, 'last_admin')
