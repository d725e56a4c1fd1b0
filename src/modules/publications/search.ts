import { type RawBuilder, sql } from 'kysely'

/**
 * Publications with all these words, in title or body, whatever accents and endings; the last word may be only its
 * beginning. Over `publications p`. False when the text holds no word: then it filters nothing.
 */
export function matches(q: string): RawBuilder<boolean> | false {
  const text = q.normalize('NFC')
  // As the words of a publication are cut: by what is no letter or digit.
  const last = /[\p{L}\p{N}]+(?=[^\p{L}\p{N}]*$)/u.exec(text)
  if (last === null) return false
  const before = text.slice(0, last.index)
  // One letter begins most of what there is: it counts as a whole word.
  const beginning = [...last[0]].length < 2 ? '' : ':*'
  return sql<boolean>`p.search @@ (
    plainto_tsquery('pg_catalog.french', plain_words(${text}))
    || (plainto_tsquery('pg_catalog.french', plain_words(${before}))
      && to_tsquery('pg_catalog.simple', replace(btrim(plain_words(${last[0]})), ' ', ' & ') || ${beginning})))`
}
