import { sql } from 'kysely'
import { settingsOf } from '../../platform/config.ts'
import type { Waiting } from '../../platform/module.ts'
import { deadline } from './queries.ts'
import { claimsSettings } from './settings.ts'

export const claimsWaiting: Waiting = {
  key: 'claims',
  area: 'claims',
  rows: (config) => sql`
    select count(*) as count, min(created_at) as oldest_at from claims
    where status = 'pending' and created_at >= ${deadline(settingsOf(config, claimsSettings).ttlDays)}`,
}
