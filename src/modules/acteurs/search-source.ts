import { sql } from 'kysely'
import { acteursNamed } from '../../platform/database/search.ts'
import { byWord, maxFound, type SearchSource } from '../../platform/search-source.ts'

/** Deleted acteurs are found only by id and slug. */
export const acteursSearchSource: SearchSource = {
  kind: 'acteur',
  shown: sql`
    select a.nom as label, (select c.nom from communes c where c.id = a.commune_id) as detail
    from acteurs a where a.id = found.id`,
  answering: sql`coalesce(merged_into, id)`,
  ways: (q) => [
    {
      ids: sql`select coalesce(merged_into, id) as id from acteurs where slug = ${q.toLowerCase()}`,
      exact: true,
    },
    { ids: acteursNamed(q, maxFound) },
    ...byWord('acteurs', q, sql<boolean>`deleted_at is null and merged_into is null`),
  ],
}
