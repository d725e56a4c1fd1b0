import { useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { oneByOne } from '../../../shell/deciding/one-by-one.ts'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import {
  type BulkAnswer,
  closeReports,
  closeReportsOfMany,
  type ListedPublication,
  moderate,
  moderateMany,
  type Status,
  type Verdict,
} from '../queries.ts'
import { evict, latestOf, reload } from './cache.ts'
import { useDecidedRows } from './decided-rows.ts'
import { usePending } from './pending.ts'
import { isRefusal, type Outcome, useUndoing } from './undoing.ts'

/** Requested decision. The reason may still be loading; only this decision waits for it. */
export type DecisionRequest = {
  status: Status
  reason?: string | Promise<string>
  ground?: string | undefined
  at?: string
}

type Send = () => Promise<BulkAnswer>

type Options = {
  onUndone: (id: string) => void
  onReview: (id: string) => void
  onNothingToUndo: () => void
  /** Reloads the list after a decision. A queue does not, so that nothing moves. */
  reloads?: boolean
}

/**
 * Decides on records of a list, with optimistic updates: a row disappears immediately, and returns if the
 * service refuses or the decision is undone. Several decisions may be in progress.
 */
export function useDecisions({ onUndone, onReview, onNothingToUndo, reloads = false }: Options) {
  const words = useTranslations('queue')
  const showFailure = useFailureToast()
  const client = useQueryClient()
  const decided = useDecidedRows()
  const { pending, settled, countPending } = usePending()
  const undoing = useUndoing({ countPending, decided, onUndone, onNothingToUndo })

  function carryOut(
    rows: readonly ListedPublication[],
    action: () => Promise<Outcome>,
    onSuccess?: () => void,
  ): void {
    decided.hide(rows)
    const ids = rows.map(({ id }) => id)
    const entry = undoing.add(ids)
    entry.outcome = countPending(oneByOne(ids, action)).then(
      (outcome) => {
        entry.decisionId = outcome.decisionId
        onSuccess?.()
        if (reloads) void client.invalidateQueries({ queryKey: ['publications'] })
        undoing.offer(entry, outcome)
        const changed = rows.filter(({ id }) => outcome.changed?.includes(id))
        if (changed.length > 0) explainMany(changed)
        evict(
          client,
          ids.filter((id) => !outcome.changed?.includes(id)),
        )
        return outcome
      },
      (error: unknown) => {
        decided.bringBack(ids)
        undoing.remove(entry)
        explain(error, rows)
        return null
      },
    )
  }

  function explain(error: unknown, rows: readonly ListedPublication[]): void {
    const [row] = rows
    if (!isRefusal(error) || row === undefined) {
      showFailure(words('notDecided'), error, { subject: row?.titre })
      return
    }
    explainMany(rows)
  }

  /** Reports conflicts without moving the selection, so that fast key presses do not hit another record. */
  function explainMany(rows: readonly ListedPublication[]): void {
    const [row] = rows
    if (row === undefined) return
    const ids = rows.map(({ id }) => id)
    decided.bringBack(ids)
    decided.putConflicts(rows)
    void reload(client, ids)
    const close = showToast({
      title: words('changed.toast', { count: rows.length, titre: row.titre }),
      isError: true,
      action: {
        label: words('changed.review'),
        run: () => {
          close()
          onReview(row.id)
        },
      },
    })
  }

  return {
    isOpen: decided.isOpen,
    pending,
    settled,
    /** Rows with a conflict, as they were when the user decided. */
    conflicts: decided.conflicts,
    undo: undoing.undo,
    undoById: undoing.undoById,
    decide(row: ListedPublication, { reason, ...verdict }: DecisionRequest, onSuccess?: () => void) {
      const send = async (): Promise<Outcome> => {
        const { decision_id } = await moderate(latestOf(client, row), await wordsIn(verdict, reason))
        return {
          title: words(`done.${verdict.status}`, { titre: row.titre }),
          decisionId: decision_id,
        }
      }
      carryOut([latestOf(client, row)], send, onSuccess)
    },
    decideMany(
      rows: readonly ListedPublication[],
      { reason, ...verdict }: DecisionRequest,
      onSuccess?: () => void,
    ) {
      const send = async () => moderateMany(rows, await wordsIn(verdict, reason))
      carryOut(rows, () => send().then(outcomeOf), onSuccess)
    },
    /** Runs another bulk action, by its own route. */
    change(rows: readonly ListedPublication[], send: Send, title?: string, onSuccess?: () => void) {
      carryOut(rows, async () => ({ ...outcomeOf(await send()), ...(title && { title }) }), onSuccess)
    },
    close(row: ListedPublication) {
      const send = async (): Promise<Outcome> => {
        const { decision_id } = await closeReports(latestOf(client, row))
        return { title: words('closed', { titre: row.titre }), decisionId: decision_id }
      }
      carryOut([latestOf(client, row)], send)
    },
    closeMany(rows: readonly ListedPublication[]) {
      const send = async (): Promise<Outcome> => {
        const answer = await closeReportsOfMany(rows)
        return { ...outcomeOf(answer), title: words('closedMany', { count: answer.meta.updated }) }
      }
      carryOut(rows, send)
    },
  }

  function outcomeOf({ data, meta }: BulkAnswer): Outcome {
    const changed = data.filter(({ result }) => result === 'changed').map(({ id }) => id)
    return { title: words('doneMany', { count: meta.updated }), decisionId: meta.decision_id, changed }
  }
}

const wordsIn = async (
  verdict: Omit<DecisionRequest, 'reason'>,
  reason: DecisionRequest['reason'],
): Promise<Verdict> => {
  const text = await reason
  return { ...verdict, ...(text && { reason: text }) }
}
