import { sql } from 'kysely'
import { beginsWords, newestWith } from '../../platform/database/search.ts'
import { maxFound, type SearchSource } from '../../platform/search-source.ts'

export const threadsSearchSource: SearchSource = {
  kind: 'thread',
  shown: sql`
    select t.subject as label, coalesce(t.nom, t.email) as detail from support_threads t where t.id = found.id`,
  ways: (q) => [
    ...(/^#?[0-9]{1,9}$/.test(q)
      ? [
          {
            ids: sql`select id from support_threads where number = ${Number(q.replace('#', ''))}`,
            exact: true,
          },
        ]
      : []),
    {
      ids: newestWith({
        table: 'support_threads',
        time: 'last_message_at',
        matches: beginsWords(sql`r.search`, q),
        limit: maxFound,
      }),
    },
  ],
}
