import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { oneByOne } from '../../../shell/deciding/one-by-one.ts'
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
import { evict, latestOf } from './cache.ts'
import { useDecidedRows } from './decided-rows.ts'
import { decidedBy, inCalls, type Progress } from './in-calls.ts'
import { usePending } from './pending.ts'
import { useProblems } from './problems.ts'
import { type Outcome, useUndoing } from './undoing.ts'

/** Requested decision. The reason may still be loading; only this decision waits for it. */
export type DecisionRequest = {
  status: Status
  reason?: string | Promise<string>
  ground?: string | undefined
  at?: string
}

/** Sends a bulk action about these rows, at most a hundred. */
type Send = (rows: readonly ListedPublication[]) => Promise<BulkAnswer>

type Options = {
  onUndone: (id: string) => void
  onReview: (id: string) => void
  onNothingToUndo: () => void
  /** Reloads the list after a decision. A queue does not, so that nothing moves. */
  reloads?: boolean
  /** Called with the rows of a bulk action that failed before it reached them. */
  onLeft?: (rows: readonly ListedPublication[]) => void
}

/**
 * Decides on records of a list, with optimistic updates: a row disappears immediately, and returns if the
 * service refuses or the decision is undone. Several decisions may be in progress.
 */
export function useDecisions({ onUndone, onReview, onNothingToUndo, reloads = false, onLeft }: Options) {
  const words = useTranslations('queue')
  const client = useQueryClient()
  const decided = useDecidedRows()
  const { pending, settled, countPending } = usePending()
  const [progress, setProgress] = useState<Progress | null>(null)
  const undoing = useUndoing({ countPending, decided, onUndone, onNothingToUndo })
  const { explain, explainMany, leave } = useProblems({ decided, onReview, onLeft })

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
        entry.decided = outcome.decided
        if (!outcome.rest) onSuccess?.()
        if (reloads) void client.invalidateQueries({ queryKey: ['publications'] })
        undoing.offer(entry, outcome)
        const changed = rows.filter(({ id }) => outcome.changed?.includes(id))
        if (changed.length > 0) explainMany(changed)
        const left = new Set([...changed, ...(outcome.rest?.rows ?? [])].map(({ id }) => id))
        evict(
          client,
          ids.filter((id) => !left.has(id)),
        )
        if (outcome.rest) leave(outcome.rest)
        return outcome
      },
      (error: unknown) => {
        decided.bringBack(ids)
        undoing.remove(entry)
        explain(error, rows)
        if (rows.length > 1) onLeft?.(rows)
        return null
      },
    )
  }

  return {
    isOpen: decided.isOpen,
    pending,
    settled,
    /** How far the bulk action in progress is; null: none of more than one request. */
    progress,
    /** Rows with a conflict, as they were when the user decided. */
    conflicts: decided.conflicts,
    undo: undoing.undo,
    undoById: undoing.undoById,
    decide(row: ListedPublication, { reason, ...verdict }: DecisionRequest, onSuccess?: () => void) {
      const send = async (): Promise<Outcome> => {
        const { decision_id } = await moderate(latestOf(client, row), await wordsIn(verdict, reason))
        return {
          title: words(`done.${verdict.status}`, { titre: row.titre }),
          decided: decidedBy(decision_id, [row.id]),
        }
      }
      carryOut([latestOf(client, row)], send, onSuccess)
    },
    decideMany(
      rows: readonly ListedPublication[],
      { reason, ...verdict }: DecisionRequest,
      onSuccess?: () => void,
    ) {
      const send = async (part: readonly ListedPublication[]) =>
        moderateMany(part, await wordsIn(verdict, reason))
      carryOut(rows, () => sendAll(rows, send), onSuccess)
    },
    /** Runs another action about all of these rows at once, by its own route. */
    change(
      rows: readonly ListedPublication[],
      send: () => Promise<BulkAnswer>,
      title?: string,
      onSuccess?: () => void,
    ) {
      const all = () => sendAll(rows, send, 'doneMany', rows.length)
      carryOut(rows, async () => ({ ...(await all()), ...(title && { title }) }), onSuccess)
    },
    /** Runs another bulk action, by its own route, a hundred rows at a time. */
    changeMany(rows: readonly ListedPublication[], send: Send, title?: string, onSuccess?: () => void) {
      carryOut(rows, async () => ({ ...(await sendAll(rows, send)), ...(title && { title }) }), onSuccess)
    },
    close(row: ListedPublication) {
      const send = async (): Promise<Outcome> => {
        const { decision_id } = await closeReports(latestOf(client, row))
        return { title: words('closed', { titre: row.titre }), decided: decidedBy(decision_id, [row.id]) }
      }
      carryOut([latestOf(client, row)], send)
    },
    closeMany(rows: readonly ListedPublication[]) {
      carryOut(rows, () => sendAll(rows, closeReportsOfMany, 'closedMany'))
    },
  }

  async function sendAll(
    rows: readonly ListedPublication[],
    send: Send,
    title: 'doneMany' | 'closedMany' = 'doneMany',
    perCall?: number,
  ): Promise<Outcome> {
    const { updated, ...outcome } = await inCalls(rows, send, setProgress, perCall)
    return { ...outcome, title: words(title, { count: updated }) }
  }
}

const wordsIn = async (
  verdict: Omit<DecisionRequest, 'reason'>,
  reason: DecisionRequest['reason'],
): Promise<Verdict> => {
  const text = await reason
  return { ...verdict, ...(text && { reason: text }) }
}
