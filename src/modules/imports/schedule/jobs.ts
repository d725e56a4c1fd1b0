import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { queueDue, reviveRuns } from './rules.ts'

const tick = defineJob('imports.tick', Type.Object({}), { retries: 1, timeoutSeconds: 300 })

export function tickHandler({ db, jobs, log, clock }: Deps): Handler {
  return handle(tick, async (_payload, { signal }) => {
    await reviveRuns({ db, jobs })
    const queued = await queueDue({ db, jobs }, clock(), signal)
    if (queued > 0) log.info({ queued }, 'imports are due')
  })
}

/** Runs every minute, the shortest interval of a cron expression. */
export const tickSchedule: Schedule = schedule(tick, '* * * * *', {})
