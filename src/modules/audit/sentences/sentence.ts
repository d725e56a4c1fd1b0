import type { Text } from '../../../platform/errors.ts'

/**
 * Predicate of a sentence about an action: it follows the person's name. `{name}` stands for the record, `{field}` for a value that
 * the entry holds. A part in brackets is left out when its value is not known.
 */
export type Sentence = Text & {
  /** Other sentences for some values of a field. */
  cases?: { field: string; is: Readonly<Record<string, Text>> }
  /** Another sentence where the author is the member that the entry names. */
  ofSelf?: Text
}
export type Sentences = Readonly<Record<string, Sentence>>
