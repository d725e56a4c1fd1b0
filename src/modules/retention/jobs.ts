import Type from 'typebox'
import { deleteOldResponses } from '../../platform/idempotency.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/module.ts'
import { applyRetention } from './rules.ts'

const forget = defineJob('retention.delete-old-answers', Type.Object({}))
const retain = defineJob('retention.apply', Type.Object({}), { timeoutSeconds: 3_600 })

export function retentionHandlers({ db, log, config, modules }: Deps): Handler[] {
  return [
    handle(forget, () => deleteOldResponses(db)),
    handle(retain, async (_payload, { signal }) => {
      const counts = await applyRetention(db, modules, config.retentionMonths, signal)
      log.info({ counts }, 'retention applied')
    }),
  ]
}

export const retentionSchedules: Schedule[] = [
  schedule(forget, '40 * * * *', {}),
  schedule(retain, '20 4 * * *', {}),
]
