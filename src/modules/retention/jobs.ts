import Type from 'typebox'
import type { Deps } from '../../platform/deps.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { applyRetention } from './rules.ts'

const retain = defineJob('retention.apply', Type.Object({}), { timeoutSeconds: 3_600 })

export function retentionHandlers({ db, log, config }: Pick<Deps, 'db' | 'log' | 'config'>): Handler[] {
  return [
    handle(retain, async (_payload, { signal }) => {
      const counts = await applyRetention(db, config.retentionMonths, signal)
      log.info({ counts }, 'what was kept long enough is gone')
    }),
  ]
}

export const retentionSchedules: Schedule[] = [schedule(retain, '20 4 * * *', {})]
