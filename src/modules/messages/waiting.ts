import { sql } from 'kysely'
import type { DailyCounts, Waiting, Watched } from '../../platform/module.ts'

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

/** Differs whenever the mail of a reply changes state: jobs do that without an audit entry. */
export const repliesWatched: Watched = {
  topics: ['threads'],
  state: sql`
    select concat_ws(' ', count(*), max(email_status_at)) from support_messages
    where email_status in ('queued', 'sending', 'uncertain')`,
}
