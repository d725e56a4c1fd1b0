import { type RawBuilder, sql } from 'kysely'

/**
 * Whether each word of what is asked begins one of these words. Without a letter or digit nothing is asked; letters that
 * words are not compared by are found in none.
 */
export function beginsWords(words: RawBuilder<unknown>, q: string): RawBuilder<boolean> {
  if (!/[\p{L}\p{N}]/u.test(q)) return sql<boolean>`true`
  return sql<boolean>`${words} @@ to_tsquery('simple', (
    select string_agg(word || ':*', ' & ') from unnest(string_to_array(search_key(${q}), ' ')) word where word <> ''))`
}

/**
 * Whether a word of `search_text` begins with what is asked, and the rest follows in order. Without a letter or digit
 * nothing is asked; letters that names are not compared by are found in none.
 */
export function beginsWord(q: string): RawBuilder<boolean> {
  if (!/[\p{L}\p{N}]/u.test(q)) return sql<boolean>`true`
  return sql<boolean>`(search_text like '% ' || search_key(${q}) || '%' and search_key(${q}) <> '')`
}
