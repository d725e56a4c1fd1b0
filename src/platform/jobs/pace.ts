/** How often things happen. Tests hurry. */
export type Pace = {
  /** Between looks at the queues: another instance's new job starts this late at most. */
  pollMs: number
  /** Between signs of life of running jobs, and looks at those of others. */
  beatMs: number
  /** A worker silent for longer is dead, and its jobs are taken over. */
  deadAfterMs: number
  /** Between looks at the schedules, at most 20. */
  cronSeconds: number
  /** What running jobs are given to end when the service stops. */
  graceMs: number
}

export const usualPace: Pace = {
  pollMs: 1_000,
  beatMs: 3_000,
  deadAfterMs: 10_000,
  cronSeconds: 15,
  graceMs: 3_500,
}
