/** How often things happen. Tests hurry. */
export type Timing = {
  /** Between looks at a queue, at least 0.5: another instance's new job starts this late at most. */
  pollSeconds: number
  /** Between signs of life of a running job. */
  touchSeconds: number
  /** Between looks for jobs whose worker gives none. */
  superviseSeconds: number
  /** How long the database must have answered before its silence about a job counts. */
  calmSeconds: number
  /** Between looks at the schedules, at most 20. */
  cronSeconds: number
  /** What running jobs are given to end when the service stops. */
  graceMs: number
}

/** A job that has given no sign of life for so long is done by another worker; the least that pg-boss knows. */
export const heartbeatSeconds = 10

export const usualTiming: Timing = {
  pollSeconds: 1,
  touchSeconds: 3,
  superviseSeconds: 8,
  calmSeconds: heartbeatSeconds,
  cronSeconds: 15,
  graceMs: 3_500,
}
