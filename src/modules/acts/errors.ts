import { ApiError, conflictOf, type Errors, errorOf } from '../../platform/errors.ts'

export const actsErrors = {
  act_in_force: {
    status: 409,
    en: 'A published act stays as it is, on line for two months at least: publish another act that corrects it.',
    fr: 'Un acte publié reste tel quel, en ligne deux mois au moins : pour le corriger, publiez un autre acte qui le remplace.',
  },
  act_exists: {
    status: 409,
    en: 'Another published act has this number or this file.',
    fr: 'Un autre acte publié porte ce numéro ou a ce fichier.',
  },
} satisfies Errors

export const actInForce = errorOf(actsErrors, 'act_in_force')

type Other = { id: string; title: string }

/** Creates the refusal of a number or a file that another published act has; it names that act. */
export function actExists(field: 'number' | 'file', { id, title }: Other): ApiError {
  const { status } = actsErrors.act_exists
  return new ApiError('act_exists', {
    status,
    ...(field === 'number'
      ? {
          en: `This number is that of the published act “${title}”: /api/v1/acts/${id}`,
          fr: `Ce numéro est celui de l’acte publié « ${title} » : /api/v1/acts/${id}`,
        }
      : {
          en: `This file was published already, as the act “${title}”: /api/v1/acts/${id}`,
          fr: `Ce fichier a déjà été publié : c’est l’acte « ${title} » : /api/v1/acts/${id}`,
        }),
  })
}

/** The act was published by another request, or is no draft any more. */
export const notDraft = () =>
  conflictOf({ en: 'This act was published already.', fr: 'Cet acte est déjà publié.' })

export const notPublished = () =>
  conflictOf({ en: 'This act is not published.', fr: 'Cet acte n’est pas en ligne.' })

export const cannotSupersede = () =>
  conflictOf({
    en: 'The act to correct is not in force any more: it was corrected, archived or occulted.',
    fr: 'L’acte à remplacer n’est plus en vigueur : il a été remplacé, archivé ou occulté.',
  })

export const staysFor = () =>
  conflictOf({
    en: 'A published act is never deleted: archive it instead. Its address and its proof stay.',
    fr: 'Un acte publié ne se supprime jamais : archivez-le. Son adresse et sa preuve restent.',
  })
