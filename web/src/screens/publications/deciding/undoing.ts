import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { isStatus } from '../../../api/failure.ts'
import { oneByOne } from '../../../shell/deciding/one-by-one.ts'
import { undoDecision } from '../../../shell/deciding/queries.ts'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { reload } from './cache.ts'
import type { useDecidedRows } from './decided-rows.ts'
import type { Decided, Rest } from './in-calls.ts'
import type { usePending } from './pending.ts'

/** Result of a decision. `changed`: ids of records left unchanged because they had a newer version. */
export type Outcome = {
  title: string
  decided: readonly Decided[]
  changed?: readonly string[]
  rest?: Rest
}
type Done = {
  ids: readonly string[]
  outcome: Promise<Outcome | null>
  /** Decisions that are not undone yet, the oldest first. */
  decided?: readonly Decided[]
  /** Skipped by the next undo. It keeps its place in case this one fails. */
  isUndoing?: boolean
}

/** Whether the same request would fail again, because the record or the decision has changed. */
export const isRefusal = (error: unknown) => isStatus(error, 404, 409, 412)

type Options = {
  countPending: ReturnType<typeof usePending>['countPending']
  decided: ReturnType<typeof useDecidedRows>
  onUndone: (id: string) => void
  onNothingToUndo: () => void
}

/** Remembers the latest decisions, and undoes them: the latest first, or one by its id. */
export function useUndoing({ countPending, decided, onUndone, onNothingToUndo }: Options) {
  const words = useTranslations('queue')
  const showFailure = useFailureToast()
  const client = useQueryClient()
  const history = useRef<Done[]>([])
  // Only the latest of several decisions keeps its toast.
  const closeLatest = useRef(() => {})

  /** Undoes the latest decision; each further call undoes the one before. */
  function undo(): void {
    const latest = history.current.findLast(({ isUndoing }) => !isUndoing)
    if (latest === undefined) {
      onNothingToUndo()
      return
    }
    latest.isUndoing = true
    closeLatest.current()
    void latest.outcome.then((outcome) => {
      if (outcome && latest.decided) void undoAll(latest.decided, latest)
    })
  }

  /** `isOther`: the decision is about records of another screen. */
  async function undoById(id: string, ids: readonly string[], isOther = false): Promise<void> {
    const entry = history.current.find(({ decided }) => decided?.some((one) => one.id === id))
    await undoAll([{ id, ids }], entry, isOther)
  }

  /** Undoes decisions, the latest first. One that the service refuses stays; after another failure all that is left can be undone again. */
  async function undoAll(all: readonly Decided[], entry: Done | undefined, isOther = false): Promise<void> {
    const total = { undone: 0, changed_since: 0 }
    const back: string[] = []
    let problem: { error: unknown } | undefined
    if (entry) entry.isUndoing = true
    closeLatest.current()
    for (const { id, ids } of all.toReversed()) {
      try {
        const { meta } = await countPending(oneByOne(ids, () => undoDecision(id)))
        total.undone += meta.undone
        total.changed_since += meta.changed_since
        back.push(...ids)
      } catch (error) {
        problem ??= { error }
        if (!isRefusal(error)) break
      }
      if (entry) entry.decided = entry.decided?.filter((one) => one.id !== id)
    }
    if (entry) {
      entry.isUndoing = false
      if (!entry.decided?.length) history.current = history.current.filter((other) => other !== entry)
    }
    if (problem) showFailure(words(back.length > 0 ? 'notUndoneInPart' : 'notUndone'), problem.error)
    if (back.length === 0) return
    await reload(client, back)
    decided.bringBack(back)
    if (total.changed_since > 0)
      showToast({ title: words('undoneInPart', { count: total.changed_since }), isError: true })
    else if (!problem) showToast({ title: words('undone') })
    if (isOther) void client.invalidateQueries({ queryKey: ['claims'] })
    else if (total.undone > 0 && all[0]?.ids[0] !== undefined) onUndone(all[0].ids[0])
  }

  return {
    add(ids: readonly string[]): Done {
      const entry: Done = { ids, outcome: Promise.resolve(null) }
      history.current = [...history.current.slice(-19), entry]
      return entry
    },
    remove(entry: Done) {
      history.current = history.current.filter((other) => other !== entry)
    },
    /** Says what was decided, and offers to undo it. A decision that was undone meanwhile has no toast. */
    offer(entry: Done, { title, decided: { length } }: Outcome) {
      if (entry.isUndoing) return
      closeLatest.current()
      const action = { label: words('undo'), shortcut: 'u', run: undo }
      closeLatest.current = showToast({ title, ...(length > 0 && { action }) })
    },
    undo,
    undoById,
  }
}
