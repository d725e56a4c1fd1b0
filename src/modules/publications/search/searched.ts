import { sql } from 'kysely'
import { newestWith } from '../../../platform/database/search.ts'
import { maxFound, type Searched } from '../../../platform/searched.ts'

/** Searches publications; deleted ones are found only by id. */
export const publicationsSearched: Searched = {
  kind: 'publication',
  shown: sql`
    select p.title as label, (select a.nom from acteurs a where a.id = p.acteur_id) as detail
    from publications p where p.id = found.id`,
  ways: (q) => [
    {
      ids: newestWith({
        table: 'publications',
        time: 'created_at',
        live: sql`r.deleted_at is null`,
        matches: sql`r.search @@ ${wordsOf(q)}`,
        limit: maxFound,
      }),
    },
  ],
}

/** The last word may be a prefix, but not in a mail address: nearly every publication has a word that begins with "org". */
const wordsOf = (q: string) =>
  isMailAddress.test(q)
    ? sql`plainto_tsquery('pg_catalog.french', plain_words(${q}))`
    : sql`publication_query(${q})`

const isMailAddress = /^\S+@\S+\.[a-z]{2,}$/i
