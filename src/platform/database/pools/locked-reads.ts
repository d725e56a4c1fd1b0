import pg from 'pg'

export type LockedReads = {
  /** Whether a statement may be sent now. */
  mayRun(text: string): boolean
  ended(text: string, error: unknown): void
}

const retryMs = 1_000
const mostKept = 1_000

/**
 * A read waits for no row: when it waits for a lock in vain, its table is being changed, and whoever else sends it would
 * wait in vain too, on the connections that reads of other tables need. So each statement is
 * - free → locked: it has waited in vain; it is refused at once;
 * - locked → tried: a second later one goes, the others are refused on;
 * - tried → free or locked: as that one ends.
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
      else if (tryAt.size < mostKept || tryAt.has(text)) tryAt.set(text, performance.now() + retryMs)
    },
  }
}

const lockNotAvailable = '55P03'
