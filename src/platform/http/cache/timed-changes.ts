import type { Changes } from '../../database/changes.ts'

export type NextChange = {
  /** Tables whose changes may change the result. */
  with: readonly string[]
  /**
   * Returns the milliseconds until a table's public content next changes without a write; negative for a change
   * in the last `lookbackMs`; null: never. Uses the database's clock, which decides visibility.
   */
  find: (lookbackMs: number) => Promise<number | null>
}

/** Period in which a table's content does not change without a write. */
type Calm = { generation: number; until: Promise<number> }

/** Longer than the query takes, but not by much: for this long after a timed change nothing is cached. */
const lookbackMs = 200

/** Returns a function that finds until when the content under these tags does not change without a write. */
export function findNextChange(
  changes: Changes,
  nextChanges: Readonly<Record<string, NextChange>>,
): (tags: readonly string[]) => Promise<number> {
  const calms = new Map<string, Calm>()

  /** Returns a period without timed changes; concurrent callers share one query. */
  function calmOf(table: string, next: NextChange): Calm {
    const generation = changes.generationOf(next.with) ?? -1
    const known = calms.get(table)
    if (known !== undefined && known.generation === generation) return known
    const since = performance.now()
    const until = next.find(lookbackMs).then(
      (ms) => {
        // After a slow query, the lookback may begin later than the first read.
        if (performance.now() - since > lookbackMs) return 0
        return ms === null ? Number.POSITIVE_INFINITY : since + ms
      },
      () => 0,
    )
    const calm = { generation, until }
    calms.set(table, calm)
    until.then((end) => forgetAt(table, calm, end))
    return calm
  }
  function forgetAt(table: string, calm: Calm, end: number) {
    const forget = () => {
      if (calms.get(table) === calm) calms.delete(table)
    }
    const ms = end - performance.now()
    if (ms <= 0) forget()
    else setTimeout(forget, Math.min(ms, 2 ** 31 - 1)).unref()
  }

  return async (tags) => {
    const timed = Object.entries(nextChanges).filter(([table]) =>
      tags.some((tag) => tag === table || tag.startsWith(`${table}:`)),
    )
    return Math.min(...(await Promise.all(timed.map(([table, next]) => calmOf(table, next).until))))
  }
}
