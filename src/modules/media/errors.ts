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
    fr: 'Une publication l’affiche : retirez-le d’abord de celle-ci.',
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
    fr: `Ce fichier est affiché dans ${quoted('« ', ' »')} : retirez-le d’abord de là.`,
  })
}

/**
 * Creates the refusal to change the description of a published picture or the name of a published document, where moderators
 * read first.
 */
export const readBefore = (kind: 'image' | 'document') =>
  conflictOf(
    kind === 'image'
      ? {
          en: 'It is published, and what its organisation writes is read first: send the picture again with its description, then choose that one.',
          fr: 'Elle est publiée, et ce que son acteur écrit est relu d’abord : envoyez l’image à nouveau avec sa description, puis choisissez celle-là.',
        }
      : {
          en: 'It is published, and what its organisation writes is read first: send the document again with its name, then choose that one.',
          fr: 'Il est publié, et ce que son acteur écrit est relu d’abord : envoyez le document à nouveau avec son nom, puis choisissez celui-là.',
        },
  )
