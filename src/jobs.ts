import { claimsHandlers, claimsSchedules } from './modules/claims/jobs.ts'
import { retentionHandlers, retentionSchedules } from './modules/retention/jobs.ts'
import type { Deps } from './platform/deps.ts'
import type { Handler, Schedule } from './platform/jobs/job.ts'

/** The second table of contents: what runs in the background, and when (by the clock of Paris). */
export function jobHandlers(deps: Deps): Handler[] {
  return [...claimsHandlers(deps), ...retentionHandlers(deps)]
}

export const jobSchedules: Schedule[] = [...claimsSchedules, ...retentionSchedules]
