import type { Clock } from '../../../platform/time/clock.ts'

/**
 * How a request to a push service ended: it answered, without or with the wish to wait (0: without saying how long), or did not;
 * or nothing was asked.
 */
export type Answer = 'done' | { waitMs: number } | 'none' | 'unasked'

/** What an instance knows of one push service. */
export type PushService = {
  /** Returns 0 once a request may be sent, or how many milliseconds to leave the service alone. */
  enter(): Promise<number>
  /** Ends a request for which `enter` returned 0. */
  leave(answer: Answer): void
}

export const maxWaitMs = 3_600_000
/** Requests at once, to a service that is new or has not answered, and to one that answers. */
const fewest = 10
const most = 50
/** How long a request waits for its turn, before the service counts as slow. */
const defaultPatienceMs = 500
/** A service that does not answer is tried again each minute at least. */
const maxSilenceMs = 60_000

/**
 * Limits the requests to one push service, so that one that is slow, or never answers, delays nobody else:
 *
 *   few at once ── each answer allows one more ──► many at once ── no answer ──► few at once, after a pause
 *
 * A pause is what the service asked for (Retry-After), at least one second, doubled each time until it accepts a message.
 */
export function createPushService(clock: Clock, patienceMs = defaultPatienceMs): PushService {
  let [allowed, underWay, pausedUntil, pauses] = [fewest, 0, 0, 0]
  const waiting = new Set<() => void>()

  function pause(askedMs: number, longestMs: number): void {
    const now = clock().getTime()
    // Requests that were under way together are one reason.
    if (pausedUntil <= now) pauses += 1
    pausedUntil = Math.max(
      pausedUntil,
      now + Math.max(askedMs, Math.min(1_000 * 2 ** (pauses - 1), longestMs)),
    )
  }

  function admit(): void {
    for (const start of waiting) {
      if (underWay >= allowed) return
      waiting.delete(start)
      underWay += 1
      start()
    }
  }

  /** Waits for a place. Returns false if there is none in time. */
  function untilAdmitted(): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const start = () => {
      clearTimeout(timer)
      resolve(true)
    }
    const timer = setTimeout(() => resolve(!waiting.delete(start)), patienceMs)
    waiting.add(start)
    admit()
    return promise
  }

  return {
    async enter() {
      const pausedMs = () => Math.max(0, pausedUntil - clock().getTime())
      if (pausedMs() > 0) return pausedMs()
      if (!(await untilAdmitted())) pause(0, maxSilenceMs)
      else if (pausedMs() === 0) return 0
      // It asked to wait while this request waited for its turn.
      else {
        underWay -= 1
        admit()
      }
      return pausedMs()
    },
    leave(answer) {
      underWay -= 1
      if (answer === 'done') {
        pauses = 0
        allowed = Math.min(allowed + 1, most)
      } else if (answer === 'none') {
        pause(0, maxSilenceMs)
        allowed = fewest
      } else if (answer !== 'unasked') pause(answer.waitMs, maxWaitMs)
      admit()
    },
  }
}
