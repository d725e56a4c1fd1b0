import type { RawBuilder } from 'kysely'
import type { RecordKindName } from './access/record-kinds.ts'

/** Defines how the global search finds one kind of record. Read by the module search. */
export type Searched = {
  kind: RecordKindName
  table: string
  /** Selects the id of the record that represents a row, if it can differ from the row's own id. */
  answering?: RawBuilder<unknown>
  /** Selects `label` and `detail` of the record `found.id`; nothing if results must not show it. */
  shown: RawBuilder<unknown>
  /** Returns the queries that find records by a text, best first. */
  ways(q: string): Way[]
}

/** Selects the ids of at most `mostFound` records, best first, by an index. */
export type Way = {
  ids: RawBuilder<unknown>
  /** True if the text is a code or an address of the record. */
  exact?: boolean
}

/** Maximum number of results of each kind. */
export const mostFound = 5

/** Returns whether too many words begin with a text. The search then only finds names that begin with it. */
export const beginsManyWords = (q: string): boolean => (q.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 3
