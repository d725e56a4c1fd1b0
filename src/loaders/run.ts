import { todayInParis } from '../platform/time/paris-time.ts'

/** Counts of a load and its progress reports. */
export type Run = ReturnType<typeof createRun>
export type Refusal = { where: string; reason: string }

export type RunOptions = {
  onStep?: (counts: Run['counts']) => void
  signal?: AbortSignal
  /** The day of the file; today, if nothing says it. */
  asOf?: string | null | undefined
  /** Accepts a file that lacks or changes much of what its source said before. */
  acceptFall?: boolean
}

export const refusalsKept = 1_000

/** Collects counts and the first refused rows only, so that memory does not grow with the file. */
export function createRun({ onStep, signal, asOf = null, acceptFall = false }: RunOptions = {}) {
  const counts = {
    ...{ read: 0, setAside: 0, created: 0, updated: 0, unchanged: 0, removed: 0, refused: 0 },
    ...{ membersAdded: 0, membersRemoved: 0, streets: 0 },
  }
  const refusals: Refusal[] = []
  return {
    counts,
    refusals,
    asOf: asOf ?? todayInParis(new Date()),
    acceptFall,
    refuse(where: string, reason: string, count = 1) {
      counts.refused += count
      if (refusals.length < refusalsKept) refusals.push({ where, reason })
    },
    /** Called between batches, the only place where a run can be stopped. */
    step() {
      signal?.throwIfAborted()
      onStep?.(counts)
    },
  }
}

export function* batches<T>(rows: readonly T[], size = 1_000): Generator<T[]> {
  for (let start = 0; start < rows.length; start += size) yield rows.slice(start, start + size)
}
