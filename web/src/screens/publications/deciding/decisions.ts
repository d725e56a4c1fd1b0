import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isStatus } from '../../../api/failure.ts'
import { oneByOne } from '../../../shell/deciding/one-by-one.ts'
import { undoDecision } from '../../../shell/deciding/queries.ts'
import { notesQuery, presenceQuery } from '../../../shell/records/colleagues/queries.ts'
import { useFailureToast } from '../../../shell/shown-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import {
  type BulkAnswer,
  closeReports,
  closeReportsOfMany,
  type ListedPublication,
  moderate,
  moderateMany,
  newestPublicationQuery,
  publicationQuery,
  type Status,
  similarQuery,
  type Verdict,
} from '../queries.ts'

/** More than any list shows: it is reloaded before as many further records are decided, without those decided before. */
const maxRemembered = 500

/** Requested decision. The reason may still be loading; only this decision waits for it. */
export type DecisionRequest = { status: Status; reason?: string | Promise<string>; at?: string }

/** Result of a decision. `changed`: ids of records left unchanged because they had a newer version. */
type Outcome = { title: string; decisionId: string | null; changed?: readonly string[] }
type Done = {
  ids: readonly string[]
  outcome: Promise<Outcome | null>
  decisionId?: string | null
  /** Skipped by the next undo. It keeps its place in case this one fails. */
  isUndoing?: boolean
}

type Options = {
  onUndone: (id: string) => void
  onReview: (id: string) => void
  onNothingToUndo: () => void
  /** Reloads the list after a decision. A queue does not, so that nothing moves. */
  reloads?: boolean
}

type Seen = { version: number; reportedAt: string }

/** A report changes no version. */
const seenOf = ({ version, reports_summary: { latest_at } }: ListedPublication): Seen => ({
  version,
  reportedAt: latest_at ?? '',
})

/**
 * Decides on records of a list, with optimistic updates: a row disappears immediately, and returns if the
 * service refuses or the decision is undone. Several decisions may be in progress.
 */
export function useDecisions({ onUndone, onReview, onNothingToUndo, reloads = false }: Options) {
  const words = useTranslations('queue')
  const showFailure = useFailureToast()
  const client = useQueryClient()
  // What the user saw of each decided record: one that has changed since, or was reported again, is shown again.
  const [decided, setDecided] = useState<ReadonlyMap<string, Seen>>(new Map())
  const [pending, setPending] = useState(0)
  const [settled, setSettled] = useState({ count: 0, at: 0 })
  const [conflicts, setConflicts] = useState<ReadonlyMap<string, ListedPublication>>(new Map())
  const history = useRef<Done[]>([])
  const underWay = useRef(0)
  // Only the latest of several decisions keeps its toast.
  const closeLatest = useRef(() => {})

  const hide = (rows: readonly ListedPublication[]) =>
    setDecided((before) => {
      const now = rows.map((row) => [row.id, seenOf(row)] as const)
      return new Map([...before, ...now].slice(-maxRemembered))
    })
  const bringBack = (ids: readonly string[]) =>
    setDecided((before) => new Map([...before].filter(([id]) => !ids.includes(id))))

  function carryOut(
    rows: readonly ListedPublication[],
    action: () => Promise<Outcome>,
    onSuccess?: () => void,
  ): void {
    hide(rows)
    // The same map if it changes nothing: the rows of the list depend on it.
    setConflicts((before) =>
      rows.some(({ id }) => before.has(id))
        ? new Map([...before].filter(([id]) => !rows.some((row) => row.id === id)))
        : before,
    )
    const ids = rows.map(({ id }) => id)
    const entry: Done = { ids, outcome: Promise.resolve(null) }
    history.current = [...history.current.slice(-19), entry]
    entry.outcome = countPending(oneByOne(ids, action)).then(
      (outcome) => {
        entry.decisionId = outcome.decisionId
        onSuccess?.()
        if (reloads) void client.invalidateQueries({ queryKey: ['publications'] })
        // A decision that was undone meanwhile has no toast.
        if (!entry.isUndoing) showOutcome(outcome)
        const changed = rows.filter(({ id }) => outcome.changed?.includes(id))
        if (changed.length > 0) explainMany(changed)
        evict(ids.filter((id) => !outcome.changed?.includes(id)))
        return outcome
      },
      (error: unknown) => {
        bringBack(ids)
        history.current = history.current.filter((other) => other !== entry)
        explain(error, rows)
        return null
      },
    )
  }

  async function countPending<Answer>(action: Promise<Answer>): Promise<Answer> {
    setPending(++underWay.current)
    try {
      return await action
    } finally {
      setPending(--underWay.current)
      setSettled(({ count }) => ({ count: count + 1, at: Date.now() }))
      // Waits for the last pending decision: figures loaded earlier would already be out of date.
      if (underWay.current === 0)
        for (const queryKey of [['dashboard'], ['decisions']]) void client.invalidateQueries({ queryKey })
    }
  }

  function showOutcome({ title, decisionId }: Outcome): void {
    closeLatest.current()
    const action = { label: words('undo'), shortcut: 'u', run: undo }
    closeLatest.current = showToast({ title, ...(decisionId !== null && { action }) })
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
    bringBack(ids)
    setConflicts((before) => new Map([...before, ...rows.map((seen) => [seen.id, seen] as const)]))
    void reload(ids)
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
      await reload(ids)
      bringBack(ids)
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
    /** Whether the row is still to be decided, as far as this client knows. */
    isOpen(row: ListedPublication) {
      const before = decided.get(row.id)
      const now = seenOf(row)
      return before === undefined || now.version > before.version || now.reportedAt > before.reportedAt
    },
    pending,
    settled,
    /** Rows with a conflict, as they were when the user decided. */
    conflicts,
    undo,
    undoById,
    decide(row: ListedPublication, { reason, ...verdict }: DecisionRequest, onSuccess?: () => void) {
      const send = async (): Promise<Outcome> => {
        const { decision_id } = await moderate(seen(row), await wordsIn(verdict, reason))
        return {
          title: words(`done.${verdict.status}`, { titre: row.titre }),
          decisionId: decision_id,
        }
      }
      carryOut([seen(row)], send, onSuccess)
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
    change(rows: readonly ListedPublication[], send: () => Promise<BulkAnswer>, title?: string) {
      carryOut(rows, async () => ({ ...outcomeOf(await send()), ...(title && { title }) }))
    },
    close(row: ListedPublication) {
      const send = async (): Promise<Outcome> => {
        const { decision_id } = await closeReports(seen(row))
        return { title: words('closed', { titre: row.titre }), decisionId: decision_id }
      }
      carryOut([seen(row)], send)
    },
    closeMany(rows: readonly ListedPublication[]) {
      const send = async (): Promise<Outcome> => {
        const answer = await closeReportsOfMany(rows)
        return { ...outcomeOf(answer), title: words('closedMany', { count: answer.meta.updated }) }
      }
      carryOut(rows, send)
    },
  }

  /** Reloads what is on the screen and evicts the rest: a decision needs the current version. */
  async function reload(ids: readonly string[]): Promise<void> {
    for (const id of ids)
      client.removeQueries({ queryKey: publicationQuery(id).queryKey, type: 'inactive', exact: true })
    await client.invalidateQueries({ queryKey: ['publications'] })
  }

  /** Evicts what was read of decided records: nobody opens them again, and a day of decisions would fill the memory. */
  function evict(ids: readonly string[]): void {
    const keys = ids.flatMap((id) => [
      publicationQuery(id).queryKey,
      newestPublicationQuery(id).queryKey,
      similarQuery(id).queryKey,
      notesQuery('publication', id).queryKey,
      presenceQuery('publication', id).queryKey,
    ])
    for (const queryKey of keys) client.removeQueries({ queryKey, type: 'inactive' })
  }

  function outcomeOf({ data, meta }: BulkAnswer): Outcome {
    const changed = data.filter(({ result }) => result === 'changed').map(({ id }) => id)
    return { title: words('doneMany', { count: meta.updated }), decisionId: meta.decision_id, changed }
  }

  /** Returns the record on the screen, which may be newer than its row in the list. */
  function seen(row: ListedPublication) {
    return client.getQueryData(publicationQuery(row.id).queryKey) ?? row
  }
}

/** Whether the same request would fail again, because the record or the decision has changed. */
const isRefusal = (error: unknown) => isStatus(error, 404, 409, 412)

const wordsIn = async (
  verdict: Omit<DecisionRequest, 'reason'>,
  reason: DecisionRequest['reason'],
): Promise<Verdict> => {
  const text = await reason
  return { ...verdict, ...(text && { reason: text }) }
}
