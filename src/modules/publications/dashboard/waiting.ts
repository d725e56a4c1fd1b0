import { sql } from 'kysely'
import type { Waiting } from '../../../platform/module.ts'
import { reportedLive } from '../reports/queries.ts'
import { listOf } from '../stored-lists.ts'

export const publicationsWaiting: Waiting[] = [
  {
    key: 'publications',
    area: 'publications',
    rows: () => sql`
      select (select coalesce(sum(n), 0) from publication_counts
        where ${listOf({})} and not deleted and moderation_status = 'pending') as count,
      (select created_at from publications where moderation_status = 'pending' and deleted_at is null
        order by created_at, id limit 1) as oldest_at`,
  },
  {
    key: 'reports',
    area: 'publications',
    rows: () => sql`
      select count(*) as count, min(first_at) as oldest_at from (
        select (select min(r.created_at) from publication_reports r
          where r.publication_id = reported.publication_id and r.closed_at is null) as first_at
        from ${reportedLive}) open_reports`,
  },
]
