import type { RawBuilder } from 'kysely'
import type { RecordKindName } from './access/record-kinds.ts'

/** How the search over all areas finds one kind of record. Read by the module search. */
export type Searched = {
  kind: RecordKindName
  table: string
  /** The id of the record that answers for a row of the table, where that is not always its own. */
  answering?: RawBuilder<unknown>
  /** Selects `label` and `detail` of the record `found.id`; nothing if it is not to be found. */
  shown: RawBuilder<unknown>
  /** The ways a text finds records, the best first. */
  ways(q: string): Way[]
}

/** Selects the ids of at most `mostFound` records, best first, by an index. */
export type Way = {
  ids: RawBuilder<unknown>
  /** The text is a code or an address of the record. */
  exact?: boolean
}

/** Of each kind. */
export const mostFound = 5

/** Shorter texts begin too many words: only names that begin with them are found. */
export const beginsManyWords = (q: string): boolean => (q.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 3
