import { sql } from 'kysely'
import type { Waiting, WatchedRows } from '../../platform/module.ts'

export const eventsWaiting: Waiting = {
  key: 'payment_events',
  area: 'subscriptions',
  rows: () => sql`
    select count(*) as count, min(received_at) as oldest_at from payment_events where status = 'failed'`,
}

/** Jobs apply events without an audit entry; what an event changes, changes with it. */
export const eventsWatched: WatchedRows = {
  topics: ['payment_events', 'subscriptions'],
  state: sql`select max(updated_at) from payment_events`,
}
