export type Pace = { resume(at: number): void; recordStart(at: number): void; gapMs(at: number): number }

/**
 * Measures the mean time between starts from the queue over the last half second or so, including the time
 * since the last start.
 */
export function measurePace(): Pace {
  let [elapsedMs, starts, lastAt] = [0, 0, 0]
  const weightAt = (at: number) => Math.exp((lastAt - at) / 500)
  return {
    /** Excludes the time during which the queue was empty. */
    resume(at) {
      lastAt = at
    },
    recordStart(at) {
      const weight = weightAt(at)
      elapsedMs = elapsedMs * weight + (at - lastAt)
      starts = starts * weight + 1
      lastAt = at
    },
    gapMs(at) {
      const weight = weightAt(at)
      return (elapsedMs * weight + (at - lastAt)) / Math.max(starts * weight, Number.MIN_VALUE)
    },
  }
}
