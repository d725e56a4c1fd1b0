/** Intervals of the job system. Tests use shorter ones. */
export type Timing = {
  /** Between searches for due jobs: the maximum delay of a job enqueued by another instance. */
  pollSeconds: number
  /** Between heartbeats of a running job. */
  touchSeconds: number
  /** Between searches for jobs without a heartbeat. */
  superviseSeconds: number
  /** How long the database must have responded before a missing heartbeat counts. */
  calmSeconds: number
  /** Between checks of the schedules, at most 20. */
  cronSeconds: number
  /** Time that running jobs have to finish when the service stops. */
  graceMs: number
}

/** Without a heartbeat for this long a job is given to another worker; the minimum of pg-boss. */
export const heartbeatSeconds = 10

export const defaultTiming: Timing = {
  pollSeconds: 1,
  touchSeconds: 3,
  superviseSeconds: 4,
  calmSeconds: heartbeatSeconds,
  cronSeconds: 15,
  graceMs: 3_500,
}
