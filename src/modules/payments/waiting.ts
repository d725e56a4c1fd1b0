import { sql } from 'kysely'
import type { Waiting } from '../../platform/module.ts'

export const eventsWaiting: Waiting = {
  key: 'payment_events',
  area: 'subscriptions',
  rows: () => sql`
    select count(*) as count, min(received_at) as oldest_at from payment_events where status = 'failed'`,
}
