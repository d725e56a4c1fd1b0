import { type RawBuilder, sql } from 'kysely'

/**
 * Publications with all these words in title or body, whatever accents and endings; the last word may be a prefix. Over
 * `publications p`. Text without a word filters nothing.
 */
export const matches = (q: string): RawBuilder<boolean> => sql<boolean>`(
  publication_query(${q}) is null or p.search @@ publication_query(${q}))`

/** Same, with the query built once for any number of rows; an empty query matches nothing. */
export const containWords = (q: string): RawBuilder<boolean> =>
  sql<boolean>`p.search @@ (select publication_query(${q}))`

/** A quick check without the database, which does the tokenising. */
export const containsWords = (q: string): boolean => /[\p{L}\p{N}]/u.test(q)
