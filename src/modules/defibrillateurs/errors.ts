import { type Errors, errorOf } from '../../platform/errors.ts'

export const defibrillateursErrors = {
  sync_in_progress: {
    status: 409,
    en: 'A synchronisation is already in progress.',
    fr: 'Une synchronisation est déjà en cours.',
  },
} satisfies Errors

export const syncInProgress = errorOf(defibrillateursErrors, 'sync_in_progress')
