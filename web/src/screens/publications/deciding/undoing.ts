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
import type { usePending } from './pending.ts'

/** Result of a decision. `changed`: ids of records left unchanged because they had a newer version. */
export type Outcome = { title: string; decisionId: string | null; changed?: readonly string[] }
type Done = {
  ids: readonly string[]
  outcome: Promise<Outcome | null>
  decisionId?: string | null
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
      if (outcome && outcome.decisionId !== null) void undoById(outcome.decisionId, latest.ids)
    })
  }

  /** `isOther`: the decision is about records of another screen. */
  async function undoById(decisionId: string, ids: readonly string[], isOther = false): Promise<void> {
    const entry = history.current.find((other) => other.decisionId === decisionId)
    const forget = () => {
      history.current = history.current.filter((other) => other !== entry)
    }
    if (entry) entry.isUndoing = true
    closeLatest.current()
    try {
      const { meta } = await countPending(oneByOne(ids, () => undoDecision(decisionId)))
      forget()
      await reload(client, ids)
      decided.bringBack(ids)
      const isWhole = meta.changed_since === 0
      showToast(
        isWhole
          ? { title: words('undone') }
          : { title: words('undoneInPart', { count: meta.changed_since }), isError: true },
      )
      if (isOther) void client.invalidateQueries({ queryKey: ['claims'] })
      else if (meta.undone > 0 && ids[0] !== undefined) onUndone(ids[0])
    } catch (error) {
      if (isRefusal(error)) forget()
      else if (entry) entry.isUndoing = false
      showFailure(words('notUndone'), error)
    }
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
    offer(entry: Done, { title, decisionId }: Outcome) {
      if (entry.isUndoing) return
      closeLatest.current()
      const action = { label: words('undo'), shortcut: 'u', run: undo }
      closeLatest.current = showToast({ title, ...(decisionId !== null && { action }) })
    },
    undo,
    undoById,
  }
}
