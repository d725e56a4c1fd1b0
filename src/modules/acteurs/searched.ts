import { sql } from 'kysely'
import { acteursNamed, beginsWord } from '../../platform/database/search.ts'
import { beginsManyWords, mostFound, type Searched, type Way } from '../../platform/searched.ts'

/** Deleted acteurs are found only by id and slug. */
export const acteursSearched: Searched = {
  kind: 'acteur',
  table: 'acteurs',
  shown: sql`
    select a.nom as label, (select c.nom from communes c where c.id = a.commune_id) as detail
    from acteurs a where a.id = found.id`,
  answering: sql`coalesce(merged_into, id)`,
  ways: (q) => [
    {
      ids: sql`select coalesce(merged_into, id) as id from acteurs where slug = ${q.toLowerCase()}`,
      exact: true,
    },
    { ids: acteursNamed(q, mostFound) },
    ...(beginsManyWords(q) ? [] : [withWord(q)]),
  ],
}

const withWord = (q: string): Way => ({
  ids: sql`select id from acteurs where ${beginsWord(q)} and deleted_at is null and merged_into is null
    limit ${sql.lit(mostFound)}`,
})
