import { type Errors, errorOf } from '../../platform/errors.ts'

export const importsErrors = {
  import_in_progress: {
    status: 409,
    en: 'An import from this source is under way.',
    fr: 'Une importation depuis cette source est en cours.',
  },
} satisfies Errors

export const importInProgress = errorOf(importsErrors, 'import_in_progress')
