import { type RawBuilder, sql } from 'kysely'
import { recordKinds } from './access/record-kinds.ts'
import { allOf } from './database/conditions.ts'
import { beginsWord } from './database/search.ts'

/** Kinds that the global search finds: the records of the back-office, and what a payment provider delivered. */
export const searchKinds = {
  ...recordKinds,
  payment_event: { area: recordKinds.subscription.area, table: 'payment_events' },
} as const
export type SearchKindName = keyof typeof searchKinds
export const searchKindNames = Object.keys(searchKinds) as SearchKindName[]

/** Defines how the global search finds one kind of record. Read by the module search. */
export type SearchSource = {
  kind: SearchKindName
  /** Selects the id of the record that represents a row, if it can differ from the row's own id. */
  answering?: RawBuilder<unknown>
  /** Selects `label` and `detail` of the record `found.id`; nothing if results must not show it. */
  shown: RawBuilder<unknown>
  /** Returns the queries that find records by a text, best first. */
  ways(q: string): Way[]
}

/** Selects the ids of at most `maxFound` records, best first, by an index. */
export type Way = {
  ids: RawBuilder<unknown>
  /** True if the text is a code or an address of the record. */
  exact?: boolean
}

/** Maximum number of results of each kind. */
export const maxFound = 5

/** Finds rows of a table with a word that begins with the text; no way if too many words do. */
export const byWord = (table: string, q: string, isLive: RawBuilder<boolean> | false = false): Way[] =>
  beginsManyWords(q)
    ? []
    : [
        {
          ids: sql`
            select id from ${sql.table(table)} where ${allOf(beginsWord(q), isLive)} limit ${sql.lit(maxFound)}`,
        },
      ]

/** Returns whether too many words begin with a text. The search then only finds names that begin with it. */
export const beginsManyWords = (q: string): boolean => (q.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 3
