import { useFormatter, useTranslations } from 'use-intl'
import { asFrenchWrites } from '../../ui/moment.ts'

const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

const states = ['pending', 'approved', 'published', 'rejected'] as const
const claimStates = ['pending', 'approved', 'rejected', 'expired'] as const
const threadStates = ['open', 'closed'] as const
const statuts = ['actif', 'masque', 'a_verifier'] as const

/**
 * Returns a function that writes a stored value as text: times in Paris, yes, no and states of publications, claims, threads and
 * devices in words, the rest as it is.
 */
export function useShownValue() {
  const words = useTranslations('audit')
  const stateWords = useTranslations('queue.status')
  const claimWords = useTranslations('claims.status')
  const threadWords = useTranslations('messages.status')
  const statutWords = useTranslations('defibrillateurs.statuts')
  const format = useFormatter()
  return (value: unknown, field: string): string => {
    const state = field === 'moderation_status' && states.find((name) => name === value)
    if (state) return stateWords(state)
    const claimState = field === 'status' && claimStates.find((name) => name === value)
    if (claimState) return claimWords(claimState)
    const threadState = field === 'status' && threadStates.find((name) => name === value)
    if (threadState) return threadWords(threadState)
    const statut = field.startsWith('statut_admin_') && statuts.find((name) => name === value)
    if (statut) return statutWords(statut)
    if (typeof value === 'boolean') return words(value ? 'yes' : 'no')
    if (typeof value === 'number') return format.number(value)
    if (typeof value === 'string' && isTime.test(value))
      return asFrenchWrites(format.dateTime(new Date(value), { dateStyle: 'long', timeStyle: 'short' }))
    if (Array.isArray(value) && value.every((item) => typeof item !== 'object'))
      return value.length === 0 ? words('none') : value.join(', ')
    return typeof value === 'string' ? value : JSON.stringify(value)
  }
}
