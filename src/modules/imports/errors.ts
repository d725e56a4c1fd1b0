import { type Errors, errorOf } from '../../platform/errors.ts'

export const importsErrors = {
  import_in_progress: {
    status: 409,
    en: 'An import from this source is already in progress.',
    fr: 'Un import de cette source est déjà en cours.',
  },
} satisfies Errors

export const importInProgress = errorOf(importsErrors, 'import_in_progress')
