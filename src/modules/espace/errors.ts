import { conflictOf, type Errors, errorOf } from '../../platform/errors.ts'

export const espaceErrors = {
  last_owner: {
    status: 409,
    en: 'The last owner cannot leave: name another one first.',
    fr: 'Le dernier propriétaire ne peut pas partir : désignez-en d’abord un autre.',
  },
} satisfies Errors

export const lastOwner = errorOf(espaceErrors, 'last_owner')

export const alreadyMember = () =>
  conflictOf({
    en: 'This person is already part of the team.',
    fr: 'Cette personne fait déjà partie de l’équipe.',
  })

export const alreadyInvited = () =>
  conflictOf({
    en: 'This address is already invited. Withdraw the invitation in the team to invite anew; another message leaves 24 hours after the last one at the earliest.',
    fr: 'Cette adresse est déjà invitée. Pour inviter de nouveau, retirez d’abord l’invitation de l’équipe ; un autre message part 24 heures après le précédent au plus tôt.',
  })

export const fullTeam = (most: number) =>
  conflictOf({
    en: `The team is full: it has ${most} members and invitations, the most that is possible.`,
    fr: `L’équipe est au complet : elle compte ${most} membres et invitations, le plus possible.`,
  })
