import { sql } from 'kysely'
import type { DailyCounts, Waiting } from '../../platform/module.ts'

export const threadsWaiting: Waiting = {
  key: 'threads',
  area: 'messages',
  rows: () => sql`
    select count(*) as count, min(last_message_at) as oldest_at from support_threads where unread`,
}

/** Number per day. */
export const threadsDaily: DailyCounts = {
  threads: {
    description: 'Support threads begun',
    count: (since, until) => sql`
      select count(*) from support_threads t where t.created_at >= ${since} and t.created_at < ${until}`,
  },
}
