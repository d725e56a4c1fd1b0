import { sql } from 'kysely'
import { beginsName } from '../../platform/database/search.ts'
import { byWord, maxFound, type SearchSource } from '../../platform/search-source.ts'

export const sourcesSearchSource: SearchSource = {
  kind: 'import_source',
  shown: sql`
    select s.nom as label, s.url as detail from import_sources s where s.id = found.id and s.deleted_at is null`,
  ways: (q) => [
    {
      ids: sql`
        select id from import_sources where ${beginsName(sql`search_text`, q, ' ')} and deleted_at is null
        order by search_text, id limit ${sql.lit(maxFound)}`,
    },
    ...byWord('import_sources', q, sql<boolean>`deleted_at is null`),
  ],
}
