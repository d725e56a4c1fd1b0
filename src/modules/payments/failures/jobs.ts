import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { enqueueForgotten, tellOfFailures } from './rules.ts'

const watchEvents = defineJob('payments.watch-events', Type.Object({}))

export function watchEventsHandler({
  db,
  jobs,
  log,
  clock,
}: Pick<Deps, 'db' | 'jobs' | 'log' | 'clock'>): Handler {
  return handle(watchEvents, async () => {
    const forgotten = await enqueueForgotten({ db, jobs })
    if (forgotten > 0) log.warn({ forgotten }, 'payment events that nobody was at any more are in line again')
    const failed = await tellOfFailures({ db, jobs }, clock())
    if (failed > 0) log.warn({ failed }, 'payment events have failed: the administrators are told')
  })
}

export const watchEventsSchedule: Schedule = schedule(watchEvents, '37 * * * *', {})
