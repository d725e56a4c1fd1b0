import { ApiError, conflictOf, type Errors, errorOf, type Problem } from '../../platform/errors.ts'

export const mediaErrors = {
  media_full: {
    status: 409,
    en: 'There is no space left for pictures and documents: ask the operator of the service to raise the limit.',
    fr: 'Il n’y a plus de place pour les images et les documents : demandez à l’exploitant du service d’augmenter la limite.',
  },
  in_use: {
    status: 409,
    en: 'A publication shows it: remove it there first.',
    fr: 'Une publication l’affiche : retirez-la d’abord de celle-ci.',
  },
  alt_required: {
    status: 422,
    en: 'Say what each picture shows before it is published, or mark it as decorative.',
    fr: 'Dites ce que l’on voit sur chaque image avant de publier, ou marquez-la comme décorative.',
  },
} satisfies Errors

export const mediaFull = errorOf(mediaErrors, 'media_full')
export const altRequired = (details: Problem[]) => errorOf(mediaErrors, 'alt_required')({ details })

/** Creates the refusal to delete what publications show; it names them. */
export function inUse(titles: string[]): ApiError {
  const { status } = mediaErrors.in_use
  const quoted = (open: string, close: string) => titles.map((title) => `${open}${title}${close}`).join(', ')
  return new ApiError('in_use', {
    status,
    en: `It is shown in ${quoted('“', '”')}: remove it there first.`,
    fr: `Elle est affichée dans ${quoted('« ', ' »')} : retirez-la d’abord de là.`,
  })
}

/** Creates the refusal to change what the public reads of a picture, where moderators read first. */
export const readBefore = () =>
  conflictOf({
    en: 'It is published, and what its acteur writes is read first: send the picture again with its description, then choose that one.',
    fr: 'Elle est publiée, et ce que son acteur écrit est relu d’abord : envoyez l’image à nouveau avec sa description, puis choisissez celle-là.',
  })
