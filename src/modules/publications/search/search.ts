import { type RawBuilder, sql } from 'kysely'

/**
 * Condition for publications with all these words in title or body, ignoring accents and endings; the last
 * word may be a prefix. Over `publications p`. Text without a word filters nothing.
 */
export const matches = (q: string): RawBuilder<boolean> => sql<boolean>`(
  publication_query(${q}) is null or p.search @@ publication_query(${q}))`

/** Like `matches`, but builds the query once for any number of rows; an empty query matches nothing. */
export const containWords = (q: string): RawBuilder<boolean> =>
  sql<boolean>`p.search @@ (select publication_query(${q}))`
