import { useEffect, useRef } from 'react'
import type { useCurrent } from '../../../shell/current.ts'
import { useChosen } from '../../../shell/lists/chosen.ts'
import { useNarrow } from '../../../ui/narrow.ts'
import type { ListedPublication } from '../queries.ts'
import type { useQueue } from './use-queue.ts'

export type Selection = ReturnType<typeof useSelection>

/** The publications that the next decision is about, and which is opened after it. */
export function useSelection(
  { items, index, row, isReady, total }: ReturnType<typeof useQueue>,
  { current, preselect, goTo }: ReturnType<typeof useCurrent>,
  conflicts: ReadonlyMap<string, ListedPublication>,
) {
  const isNarrow = useNarrow()
  const { chosen, setChosen, rows: several, ...choosing } = useChosen(items)
  /** Set once the last loaded row is decided, or one before the list is loaded: the first of the next is opened. */
  const wantsFirst = useRef(false)
  // Not a row that came back with a conflict: the next key press would decide on it unread.
  const first = items.find(({ id }) => !conflicts.has(id))?.id
  useEffect(() => {
    if (first === undefined || current !== null) return
    if (wantsFirst.current) goTo(first)
    else if (!isNarrow) preselect(first)
    wantsFirst.current = false
  })
  const opened = row === null ? [] : [row]
  return {
    ...choosing,
    chosen,
    setChosen,
    several,
    /** The buttons beside the open publication decide on it alone, the keys on the selection if there is one. */
    opened,
    targets: several.length > 0 ? several : opened,
    step: (by: 1 | -1) => goTo((items[index + by] ?? items[index] ?? items[0])?.id ?? null),
    toggle() {
      if (row === null) return
      const next = new Set(chosen)
      if (!next.delete(row.id)) next.add(row.id)
      setChosen(next)
    },
    /** Stays on the open publication if it is still to be decided, or else opens the one after the decided ones. */
    goOn(decided: readonly ListedPublication[]) {
      const ids = new Set(decided.map(({ id }) => id))
      setChosen(new Set([...chosen].filter((id) => !ids.has(id))))
      const last = items.findLastIndex(({ id }) => ids.has(id))
      const next = items[last + 1] ?? items.findLast(({ id }) => !ids.has(id))
      wantsFirst.current = next === undefined && (!isReady || total > ids.size)
      goTo((row !== null && !ids.has(row.id) ? row : next)?.id ?? null)
    },
  }
}
