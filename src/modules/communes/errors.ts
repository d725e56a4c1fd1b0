import { type Errors, errorOf } from '../../platform/errors.ts'

export const communesErrors = {
  slug_taken: { status: 409, en: 'This slug is already taken.', fr: 'Cette adresse courte est déjà prise.' },
} satisfies Errors

export const slugTaken = errorOf(communesErrors, 'slug_taken')
