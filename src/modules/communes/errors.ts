import { type Errors, errorOf } from '../../platform/errors.ts'

export const communesErrors = {
  slug_taken: { status: 409, en: 'This slug is already taken.', fr: 'Ce slug est déjà pris.' },
} satisfies Errors

export const slugTaken = errorOf(communesErrors, 'slug_taken')
