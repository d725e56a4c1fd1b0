import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { dailyCountsOf, keepPastDays } from './rules.ts'

const keepDays = defineJob('dashboard.keep-days', Type.Object({}))

export function keepDaysHandler({
  db,
  log,
  clock,
  modules,
}: Pick<Deps, 'db' | 'log' | 'clock' | 'modules'>): Handler {
  return handle(keepDays, async (_payload, { signal }) => {
    const kept = await keepPastDays(db, dailyCountsOf(modules), clock(), signal)
    if (kept > 0) log.info({ kept }, 'days counted for the dashboard')
  })
}

/** Runs hourly, so that a new installation soon has a year of counts. */
export const keepDaysSchedule: Schedule = schedule(keepDays, '12 * * * *', {})
