import { conflictOf, type Errors, errorOf, forbidden } from '../../platform/errors.ts'

export const complaintsErrors = {
  same_person: {
    status: 403,
    en: 'Whoever decided cannot decide the complaint about it: somebody else does.',
    fr: 'Qui a décidé ne peut pas trancher la réclamation : c’est à une autre personne de le faire.',
  },
} satisfies Errors

export const samePerson = errorOf(complaintsErrors, 'same_person')

const once = () =>
  conflictOf({
    en: 'You have already complained about this decision.',
    fr: 'Vous avez déjà contesté cette décision.',
  })

export const alreadyDecided = () =>
  conflictOf({
    en: 'This complaint has been decided.',
    fr: 'Cette réclamation a déjà été tranchée.',
  })

/** Maps database constraints to API errors. */
export const complaintsConstraints = {
  complaints_once: once,
  complaints_once_reporter: once,
  complaints_once_reported: once,
  complaints_same_person: samePerson,
  complaints_own: forbidden,
  complaints_one_outcome: alreadyDecided,
}
