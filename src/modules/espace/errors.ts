import { type Errors, errorOf } from '../../platform/errors.ts'

export const espaceErrors = {
  last_owner: {
    status: 409,
    en: 'The last owner cannot leave: name another one first.',
    fr: 'Le dernier propriétaire ne peut pas partir : désignez-en d’abord un autre.',
  },
} satisfies Errors

export const lastOwner = errorOf(espaceErrors, 'last_owner')
