import { sql } from 'kysely'
import type { Waiting } from '../../platform/module.ts'

export const threadsWaiting: Waiting = {
  key: 'threads',
  area: 'messages',
  rows: () => sql`
    select count(*) as count, min(last_message_at) as oldest_at from support_threads where unread`,
}
