/**
 * Judges a queue by the shortest wait of each interval, as CoDel does:
 * - open → shedding: every request of the last interval waited longer than the target, and in its second half at least
 *   half as many arrived as started. The end of a burst waits long too, but refusing it would help nobody.
 * - shedding → open: a request waited less than half the target. The queue is kept at the target while it
 *   sheds; reopening at the target itself would let it grow again immediately.
 */
export type ShortestWait = {
  readonly isShedding: boolean
  /** Records a request that does not start immediately, even if it is refused. */
  recordArrival(now: number): void
  /** Records how long a request waited before it started. */
  record(now: number, waitMs: number): void
  /**
   * Ends the interval if it is over, and returns whether it did. `oldestMs` returns the age of the oldest request in the
   * queue, 0 if it is empty.
   */
  update(now: number, oldestMs: () => number): boolean
}

export const intervalMs = 1_000

export function watchShortestWait(targetMs: number, startedAt: number): ShortestWait {
  let isShedding = false
  let shortestMs: number | null = null
  let endsAt = startedAt + intervalMs
  // In the second half of the interval.
  let [arrivals, starts] = [0, 0]
  const isCounted = (now: number) => now >= endsAt - intervalMs / 2
  return {
    get isShedding() {
      return isShedding
    },
    recordArrival(now) {
      if (isCounted(now)) arrivals++
    },
    record(now, waitMs) {
      if (isCounted(now)) starts++
      shortestMs = shortestMs === null ? waitMs : Math.min(shortestMs, waitMs)
      if (waitMs < targetMs / 2) isShedding = false
    },
    update(now, oldestMs) {
      if (now < endsAt) return false
      // No request started during the whole interval: use the age of the oldest queued one.
      const waitMs = shortestMs ?? oldestMs()
      if (waitMs > targetMs && 2 * arrivals >= starts) isShedding = true
      shortestMs = null
      ;[arrivals, starts] = [0, 0]
      endsAt = now + intervalMs
      return true
    },
  }
}
