import { sql } from 'kysely'
import { beginsName, beginsWord } from '../../platform/database/search.ts'
import { beginsManyWords, mostFound, type Searched, type Way } from '../../platform/searched.ts'

export const sourcesSearched: Searched = {
  kind: 'import_source',
  table: 'import_sources',
  shown: sql`
    select s.nom as label, s.url as detail from import_sources s where s.id = found.id and s.deleted_at is null`,
  ways: (q) => [
    {
      ids: sql`
        select id from import_sources where ${beginsName(sql`search_text`, q, ' ')} and deleted_at is null
        order by search_text, id limit ${sql.lit(mostFound)}`,
    },
    ...(beginsManyWords(q) ? [] : [withWord(q)]),
  ],
}

const withWord = (q: string): Way => ({
  ids: sql`
    select id from import_sources where ${beginsWord(q)} and deleted_at is null limit ${sql.lit(mostFound)}`,
})
