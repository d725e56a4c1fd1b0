import { sql } from 'kysely'
import { settingsOf } from '../../platform/config/config.ts'
import type { DailyCounts, Waiting } from '../../platform/module.ts'
import { isOverdue } from './queries.ts'
import { claimsSettings } from './settings.ts'

export const claimsWaiting: Waiting = {
  key: 'claims',
  area: 'claims',
  rows: (config) => sql`
    select count(*) as count, min(c.created_at) as oldest_at from claims c
    where c.status = 'pending' and not ${isOverdue(settingsOf(config, claimsSettings).ttlDays)}`,
}

/** Number per day. */
export const claimsDaily: DailyCounts = {
  claims: {
    description: 'Claims made',
    count: (since, until) => sql`
      select count(*) from claims c where c.created_at >= ${since} and c.created_at < ${until}`,
  },
}
