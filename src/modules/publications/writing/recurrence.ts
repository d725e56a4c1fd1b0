import type { Static } from 'typebox'
import { cleanRule, type Recurrence } from '../recurrence.ts'
import type { writtenContent } from '../schema.ts'

type Given = Static<(typeof writtenContent)['recurrence']>

/** Cleans a recurrence: all its parts, its days in order. */
export function cleanRecurrence(given: Given): Recurrence | null {
  if (given === null) return null
  const { regle, exceptions = [], ajouts = [], occurrences = [] } = given
  return {
    regle: cleanRule(regle),
    exceptions: exceptions.toSorted(),
    ajouts: ajouts.toSorted(),
    occurrences: occurrences.toSorted((one, other) => (one.date < other.date ? -1 : 1)),
  }
}
