import { type Errors, errorOf } from '../../platform/errors.ts'

export const claimsErrors = {
  claim_conflict: {
    status: 409,
    en: 'A claim is already in progress for this organisation.',
    fr: 'Une revendication est déjà en attente pour cet acteur.',
  },
  claim_already_decided: {
    status: 409,
    en: 'This claim has already been decided.',
    fr: 'Cette revendication a déjà été traitée.',
  },
  claim_unreachable: {
    status: 409,
    en: 'No e-mail address of the claimant is known.',
    fr: 'Aucune adresse e-mail n’est connue pour cette revendication.',
  },
  acteur_exists: {
    status: 409,
    en: 'The directory of the commune already has an organisation of this name: claim it.',
    fr: 'L’annuaire de la commune a déjà un acteur de ce nom : ouvrez sa page et revendiquez-la.',
  },
} satisfies Errors

export const claimConflict = errorOf(claimsErrors, 'claim_conflict')
export const claimAlreadyDecided = errorOf(claimsErrors, 'claim_already_decided')
export const acteurExists = errorOf(claimsErrors, 'acteur_exists')
export const claimUnreachable = errorOf(claimsErrors, 'claim_unreachable')
