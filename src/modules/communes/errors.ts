import { type Errors, errorOf } from '../../platform/errors.ts'

export const communesErrors = {
  slug_taken: { status: 409, en: 'This slug is already taken.', fr: 'Cette adresse courte est déjà prise.' },
  secteur_exists: {
    status: 409,
    en: 'The commune has a secteur of this name.',
    fr: 'La commune a déjà un secteur de ce nom.',
  },
  secteur_in_use: {
    status: 409,
    en: 'Collections name this secteur: change them first.',
    fr: 'Des collectes portent ce secteur : modifiez-les d’abord.',
  },
} satisfies Errors

export const slugTaken = errorOf(communesErrors, 'slug_taken')
export const secteurExists = errorOf(communesErrors, 'secteur_exists')
export const secteurInUse = errorOf(communesErrors, 'secteur_in_use')
