import { type Errors, errorOf } from '../../platform/errors.ts'

export const preferencesErrors = {
  view_name_taken: {
    status: 409,
    en: 'You already have a view of this name for this list.',
    fr: 'Vous avez déjà une vue de ce nom pour cette liste.',
  },
} satisfies Errors

export const viewNameTaken = errorOf(preferencesErrors, 'view_name_taken')
