import { sql } from 'kysely'
import { newestWith } from '../../platform/database/search.ts'
import { mostFound, type Searched } from '../../platform/searched.ts'

/** Searches publications; deleted ones are found only by id. */
export const publicationsSearched: Searched = {
  kind: 'publication',
  table: 'publications',
  shown: sql`
    select p.title as label, (select a.nom from acteurs a where a.id = p.acteur_id) as detail
    from publications p where p.id = found.id`,
  ways: (q) => [
    {
      ids: newestWith({
        table: 'publications',
        time: 'created_at',
        live: sql`r.deleted_at is null`,
        matches: sql`r.search @@ publication_query(${q})`,
        limit: mostFound,
      }),
    },
  ],
}
