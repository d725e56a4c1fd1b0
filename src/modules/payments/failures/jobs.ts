import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { enqueueForgotten, notifyOfFailures } from './rules.ts'

const watchEvents = defineJob('payments.watch-events', Type.Object({}))

export function watchEventsHandler({
  db,
  jobs,
  log,
  clock,
}: Pick<Deps, 'db' | 'jobs' | 'log' | 'clock'>): Handler {
  return handle(watchEvents, async () => {
    const forgotten = await enqueueForgotten({ db, jobs })
    if (forgotten > 0) log.warn({ forgotten }, 'orphaned payment events enqueued again')
    const failed = await notifyOfFailures({ db, jobs }, clock())
    if (failed > 0) log.warn({ failed }, 'payment events failed: administrators notified')
  })
}

export const watchEventsSchedule: Schedule = schedule(watchEvents, '37 * * * *', {})
