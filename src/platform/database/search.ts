import { type RawBuilder, sql } from 'kysely'

/**
 * Matches when each word of the query is a prefix of one of these words. A query without letters or digits matches
 * everything; letters outside the folded alphabet match nothing.
 */
export function beginsWords(words: RawBuilder<unknown>, q: string): RawBuilder<boolean> {
  if (!/[\p{L}\p{N}]/u.test(q)) return sql<boolean>`true`
  return sql<boolean>`${words} @@ to_tsquery('simple', (
    select string_agg(word || ':*', ' & ') from unnest(string_to_array(search_key(${q}), ' ')) word where word <> ''))`
}

/**
 * Matches when a word of `search_text` begins with the query and the rest follows in order. A query without letters or
 * digits matches everything; letters outside the folded alphabet match nothing.
 */
export function beginsWord(q: string): RawBuilder<boolean> {
  if (!/[\p{L}\p{N}]/u.test(q)) return sql<boolean>`true`
  return sql<boolean>`(search_text like '% ' || search_key(${q}) || '%' and search_key(${q}) <> '')`
}

/** Matches when the folded text in this column begins with the query, as an index in the order of bytes finds it. */
export const beginsName = (column: RawBuilder<unknown>, q: string, before = ''): RawBuilder<boolean> =>
  sql<boolean>`(${column} like ${before} || search_key(${q}) || '%' and search_key(${q}) <> '')`

type Newest = {
  table: string
  /** The time by which rows are ordered, of which there is an index with the id. */
  time: string
  live?: RawBuilder<boolean>
  /** Over the table's rows as `r`. */
  matches: RawBuilder<boolean>
  limit: number
}

/**
 * Selects the ids of the newest matches. A common word is found among the newest rows; only a rare one needs the index
 * of words, which would return all matches of a common one.
 */
export function newestWith({ table, time, live = sql<boolean>`true`, matches, limit }: Newest) {
  const order = sql`r.${sql.ref(time)} desc, r.id desc`
  return sql`
    with newest as materialized (
      select r.id, r.${sql.ref(time)} from (
        select * from ${sql.table(table)} r where ${live} order by ${order} limit ${sql.lit(newestRows)}) r
      where ${matches} limit ${sql.lit(limit)}),
    all_of_them as materialized (
      select r.id, r.${sql.ref(time)} from ${sql.table(table)} r
      where ${matches} and ${live} and (select count(*) from newest) < ${sql.lit(limit)})
    select r.id from (select * from newest union select * from all_of_them) r
    order by ${order} limit ${sql.lit(limit)}`
}

const newestRows = 1_000

/** Selects the ids of live acteurs whose name begins so, in the order of their names. */
export const acteursNamed = (q: string, limit: number): RawBuilder<unknown> => sql`
  select id from acteurs where ${beginsName(sql`search_text`, q, ' ')} and deleted_at is null and merged_into is null
  order by search_text, id limit ${sql.lit(limit)}`
