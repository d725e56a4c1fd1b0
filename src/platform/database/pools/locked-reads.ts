import pg from 'pg'

export type LockedReads = {
  /** Returns whether a statement may be sent now. */
  mayRun(text: string): boolean
  ended(text: string, error: unknown): void
}

const retryMs = 1_000
const maxCached = 1_000

/**
 * Fails fast on locked tables. A read waits for no row; when it times out on a lock, its table is being altered, and
 * others sending it would wait in vain too, on connections other reads need. So each statement is
 * - free → locked: it timed out; it is refused at once;
 * - locked → probing: a second later one is sent, the others are still refused;
 * - probing → free or locked: as that one ends.
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
