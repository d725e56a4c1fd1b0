import Type from 'typebox'
import { settingsOf } from '../../../platform/config/config.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { claimsSettings } from '../settings.ts'
import { expireClaims } from './rules.ts'

const expire = defineJob('claims.expire', Type.Object({}))

export function expireHandler({ db, log, config }: Pick<Deps, 'db' | 'log' | 'config'>): Handler {
  const { ttlDays } = settingsOf(config, claimsSettings)
  return handle(expire, async (_payload, { signal }) => {
    const expired = await expireClaims(db, ttlDays, signal)
    if (expired > 0) log.info({ expired }, 'claims expired')
  })
}

export const expireSchedule: Schedule = schedule(expire, '17 * * * *', {})
