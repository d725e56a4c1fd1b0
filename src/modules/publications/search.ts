import { type RawBuilder, sql } from 'kysely'

/**
 * Publications with all these words, in title or body, whatever accents and endings; the last word may be only its
 * beginning. Over `publications p`. A text without a word filters nothing.
 */
export const matches = (q: string): RawBuilder<boolean> => sql<boolean>`(
  publication_query(${q}) is null or p.search @@ publication_query(${q}))`

/** The same where the query is made once, however many rows are tried; nothing holds no words. */
export const holdWords = (q: string): RawBuilder<boolean> =>
  sql<boolean>`p.search @@ (select publication_query(${q}))`

/** As far as can be told without the database, which cuts the words. */
export const holdsWords = (q: string): boolean => /[\p{L}\p{N}]/u.test(q)
