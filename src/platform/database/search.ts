import { type RawBuilder, sql } from 'kysely'
import { hasWord } from '../formats/text.ts'

/**
 * Matches if each word of the query is a prefix of a word in `words`. A query without letters or digits
 * matches everything; letters outside the folded alphabet match nothing.
 */
export function beginsWords(words: RawBuilder<unknown>, q: string): RawBuilder<boolean> {
  if (!hasWord(q)) return sql<boolean>`true`
  return sql<boolean>`${words} @@ to_tsquery('simple', (
    select string_agg(word || ':*', ' & ') from unnest(string_to_array(search_key(${q}), ' ')) word where word <> ''))`
}

/**
 * Matches if `search_text` contains the query, starting at a word boundary. A query without letters or digits
 * matches everything; letters outside the folded alphabet match nothing.
 */
export function beginsWord(q: string): RawBuilder<boolean> {
  if (!hasWord(q)) return sql<boolean>`true`
  return sql<boolean>`(search_text like '% ' || search_key(${q}) || '%' and search_key(${q}) <> '')`
}

/** Like `beginsWord`, for a prepared statement: computes the pattern once, where `beginsWord` would for each row. */
export function beginsWordPrepared(q: string): RawBuilder<boolean> {
  if (!hasWord(q)) return sql<boolean>`true`
  return sql<boolean>`search_text like (select '% ' || nullif(search_key(${q}), '') || '%')`
}

/** Matches if the folded text in this column begins with the query. An index in byte order supports it. */
export const beginsName = (column: RawBuilder<unknown>, q: string, before = ''): RawBuilder<boolean> =>
  sql<boolean>`(${column} like ${before} || search_key(${q}) || '%' and search_key(${q}) <> '')`

type Newest = {
  table: string
  /** The time column to sort by; an index on it and the id must exist. */
  time: string
  live?: RawBuilder<boolean>
  /** A condition on the table's rows, named `r`. */
  matches: RawBuilder<boolean>
  limit: number
}

/**
 * Selects the ids of the newest matches. Searches the newest rows first, where a common word has enough matches. Else it
 * reads matches by the word index, which has no order: of a common word that the newest rows lack, only so many of all.
 */
export function newestWith({ table, time, live = sql<boolean>`true`, matches, limit }: Newest) {
  const order = sql`r.${sql.ref(time)} desc, r.id desc`
  return sql`
    with newest as materialized (
      select r.id, r.${sql.ref(time)} from (
        select * from ${sql.table(table)} r where ${live} order by ${order} limit ${sql.lit(newestRows)}) r
      where ${matches} limit ${sql.lit(limit)}),
    indexed as materialized (
      select r.id, r.${sql.ref(time)} from ${sql.table(table)} r
      where ${matches} and ${live} and (select count(*) from newest) < ${sql.lit(limit)} limit ${sql.lit(maxIndexed)})
    select r.id from (select * from newest union select * from indexed) r
    order by ${order} limit ${sql.lit(limit)}`
}

const newestRows = 1_000
const maxIndexed = 5_000

type Named = { table: string; live: RawBuilder<boolean>; q: string; limit: number }

/** Selects the ids of rows whose `search_text` begins with the query, sorted by it. */
export const namedRows = ({ table, live, q, limit }: Named): RawBuilder<unknown> => sql`
  select id from ${sql.table(table)} where ${beginsName(sql`search_text`, q, ' ')} and ${live}
  order by search_text, id limit ${sql.lit(limit)}`
