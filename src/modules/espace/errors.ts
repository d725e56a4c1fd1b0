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
    en: 'This address is already invited. To send the invitation again, withdraw it in the team and invite anew.',
    fr: 'Cette adresse est déjà invitée. Pour renvoyer l’invitation, retirez-la de l’équipe, puis invitez de nouveau.',
  })

/** Of an account that is disabled: that is not for the owner of an acteur to know. */
export const cannotJoin = () =>
  conflictOf({
    en: 'This address cannot be added to the team. The support can help.',
    fr: 'Cette adresse ne peut pas être ajoutée à l’équipe. L’assistance peut vous aider.',
  })

export const fullTeam = (most: number) =>
  conflictOf({
    en: `The team is full: it has ${most} members and invitations, the most that is possible.`,
    fr: `L’équipe est au complet : elle compte ${most} membres et invitations, le plus possible.`,
  })
