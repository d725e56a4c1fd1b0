import { type Errors, errorOf } from '../../platform/errors.ts'

export const mediaErrors = {
  media_full: {
    status: 409,
    en: 'There is no space left for pictures and documents: ask the operator of the service to raise the limit.',
    fr: 'Il n’y a plus de place pour les images et les documents : demandez à l’exploitant du service d’augmenter la limite.',
  },
} satisfies Errors

export const mediaFull = errorOf(mediaErrors, 'media_full')
