import { type Errors, errorOf } from '../../platform/errors.ts'

export const usersErrors = {
  last_admin: {
    status: 409,
    en: 'The last administrator stays.',
    fr: 'Le dernier administrateur reste en place.',
  },
} satisfies Errors

export const lastAdmin = errorOf(usersErrors, 'last_admin')
