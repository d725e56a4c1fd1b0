import { type RawBuilder, sql } from 'kysely'

/**
 * Publications with all these words, in title or body, whatever accents and endings; the last word may be only its
 * beginning. Over `publications p`. Null when the text holds no word: then it filters nothing.
 */
export function matches(q: string): RawBuilder<boolean> | null {
  const text = q.normalize('NFC')
  const last = /[\p{L}\p{N}]+(?=[^\p{L}\p{N}]*$)/u.exec(text)
  if (last === null) return null
  const before = text.slice(0, last.index)
  // One letter begins most of what there is: it counts as a whole word. The only text that becomes a query's syntax is
  // letters and digits.
  const beginning = [...last[0]].length < 2 ? last[0] : `${last[0]}:*`
  return sql<boolean>`p.search @@ (
    plainto_tsquery('public.french_words', ${text})
    || (plainto_tsquery('public.french_words', ${before}) && to_tsquery('public.words', ${beginning})))`
}
