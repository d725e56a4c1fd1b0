import pg from 'pg'

export type LockedReads = {
  /** Returns whether a statement may be sent now. */
  mayRun(text: string): boolean
  ended(text: string, error: unknown): void
}

const retryMs = 1_000
const maxCached = 1_000

/**
 * Fails fast on locked tables. Reads wait for no row lock: one that times out on a lock waits for a table
 * being altered, and repeating it would occupy connections that other reads need. States of each statement:
 * - free → locked: it timed out on a lock; it is now refused immediately;
 * - locked → probing: one attempt is sent after a second, others are still refused;
 * - probing → free or locked: depends on that attempt.
 */
export function lockedReads(): LockedReads {
  const tryAt = new Map<string, number>()
  return {
    mayRun(text) {
      const at = tryAt.get(text)
      if (at === undefined) return true
      const now = performance.now()
      if (now < at) return false
      tryAt.set(text, now + retryMs)
      return true
    },
    ended(text, error) {
      if (!(error instanceof pg.DatabaseError && error.code === lockNotAvailable)) tryAt.delete(text)
      else if (tryAt.size < maxCached || tryAt.has(text)) tryAt.set(text, performance.now() + retryMs)
    },
  }
}

const lockNotAvailable = '55P03'
