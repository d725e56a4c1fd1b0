import { useState } from 'react'
import { maxChosen } from '../../../shell/lists/chosen.ts'
import type { ListedPublication } from '../queries.ts'

/** More than any list shows or one decision is about: it is reloaded before as many further records are decided, without those decided before. */
const maxRemembered = 2 * maxChosen

type Seen = { version: number; reportedAt: string }

/** A report changes no version. */
const seenOf = ({ version, reports_summary: { latest_at } }: ListedPublication): Seen => ({
  version,
  reportedAt: latest_at ?? '',
})

/** Rows that were decided, which a list no longer shows, and those whose decision met a newer version. */
export function useDecidedRows() {
  // What the user saw of each decided record: one that has changed since, or was reported again, is shown again.
  const [decided, setDecided] = useState<ReadonlyMap<string, Seen>>(new Map())
  const [conflicts, setConflicts] = useState<ReadonlyMap<string, ListedPublication>>(new Map())
  return {
    /** Rows with a conflict, as they were when the user decided. */
    conflicts,
    /** Whether the row is still to be decided, as far as this client knows. */
    isOpen(row: ListedPublication) {
      const before = decided.get(row.id)
      const now = seenOf(row)
      return before === undefined || now.version > before.version || now.reportedAt > before.reportedAt
    },
    hide(rows: readonly ListedPublication[]) {
      setDecided((before) => {
        const now = rows.map((row) => [row.id, seenOf(row)] as const)
        return new Map([...before, ...now].slice(-maxRemembered))
      })
      // The same map if it changes nothing: the rows of the list depend on it.
      setConflicts((before) =>
        rows.some(({ id }) => before.has(id))
          ? new Map([...before].filter(([id]) => !rows.some((row) => row.id === id)))
          : before,
      )
    },
    bringBack(ids: readonly string[]) {
      const back = new Set(ids)
      setDecided((before) => new Map([...before].filter(([id]) => !back.has(id))))
    },
    putConflicts(rows: readonly ListedPublication[]) {
      setConflicts((before) => new Map([...before, ...rows.map((seen) => [seen.id, seen] as const)]))
    },
  }
}
