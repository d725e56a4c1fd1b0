import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ApiFailure } from '../../../api/failure.ts'
import { oneByOne } from '../../../shell/deciding/one-by-one.ts'
import { undoDecision } from '../../../shell/deciding/queries.ts'
import { useFailureText } from '../../../shell/shown-failure.tsx'
import { showToast } from '../../../ui/toast.tsx'
import {
  type BulkAnswer,
  closeReports,
  type Listed,
  moderate,
  moderateMany,
  publicationQuery,
  type Status,
  type Verdict,
} from '../queries.ts'

/** A reason may still be on its way: the decision waits for it, and nobody else does. */
export type Asked = { status: Status; reason?: string | Promise<string>; at?: string }

/** Result of a decision. `changed`: left alone, because they changed since they were shown. */
type Outcome = { title: string; decisionId: string | null; changed?: readonly string[] }
type Done = { ids: readonly string[]; outcome: Promise<Outcome | null>; decisionId?: string | null }

type Options = {
  onUndone: (id: string) => void
  onReview: (id: string) => void
  onNothingToUndo: () => void
  /** Lists show what was decided at once; a queue keeps what it has, so that nothing moves. */
  reloads?: boolean
}

/**
 * Decisions on what stands in a list. They are shown at once: a row goes, and comes back if the service refuses or the
 * decision is undone. Several may be under way.
 */
export function useDecisions({ onUndone, onReview, onNothingToUndo, reloads = false }: Options) {
  const words = useTranslations('queue')
  const textOf = useFailureText()
  const client = useQueryClient()
  // By the version that was decided on: a row that the service has changed since is shown again.
  const [decided, setDecided] = useState<ReadonlyMap<string, number>>(new Map())
  const [pending, setPending] = useState(0)
  const [settled, setSettled] = useState({ count: 0, at: 0 })
  const [conflicts, setConflicts] = useState<ReadonlyMap<string, Listed>>(new Map())
  const done = useRef<Done[]>([])
  const underWay = useRef(0)
  // Of many decisions in a row only the latest is told.
  const closeLatest = useRef(() => {})

  const hide = (rows: readonly Listed[]) =>
    setDecided((before) => new Map([...before, ...rows.map(({ id, version }) => [id, version] as const)]))
  const bringBack = (ids: readonly string[]) =>
    setDecided((before) => new Map([...before].filter(([id]) => !ids.includes(id))))

  function carryOut(rows: readonly Listed[], deed: () => Promise<Outcome>, onSuccess?: () => void): void {
    hide(rows)
    setConflicts((before) => new Map([...before].filter(([id]) => !rows.some((row) => row.id === id))))
    const ids = rows.map(({ id }) => id)
    const entry: Done = { ids, outcome: Promise.resolve(null) }
    done.current = [...done.current.slice(-19), entry]
    entry.outcome = track(oneByOne(ids, deed)).then(
      (came) => {
        entry.decisionId = came.decisionId
        onSuccess?.()
        if (reloads) void client.invalidateQueries({ queryKey: ['publications'] })
        tell(came)
        const changed = rows.filter(({ id }) => came.changed?.includes(id))
        if (changed.length > 0) explainMany(changed)
        return came
      },
      (error: unknown) => {
        bringBack(ids)
        done.current = done.current.filter((other) => other !== entry)
        explain(error, rows)
        return null
      },
    )
  }

  async function track<Answer>(deed: Promise<Answer>): Promise<Answer> {
    setPending(++underWay.current)
    try {
      return await deed
    } finally {
      setPending(--underWay.current)
      setSettled(({ count }) => ({ count: count + 1, at: Date.now() }))
      // While more are under way, figures would be out of date as they come.
      if (underWay.current === 0)
        for (const queryKey of [['dashboard'], ['decisions']]) void client.invalidateQueries({ queryKey })
    }
  }

  function tell({ title, decisionId }: Outcome): void {
    closeLatest.current()
    const action = { label: words('undo'), shortcut: 'u', run: undo }
    closeLatest.current = showToast({ title, ...(decisionId !== null && { action }) })
  }

  function explain(error: unknown, rows: readonly Listed[]): void {
    const [row] = rows
    const isConflict = error instanceof ApiFailure && [404, 409, 412].includes(error.status)
    if (!isConflict || row === undefined) {
      const detail = [row?.titre, textOf(error)].filter(Boolean).join(' : ')
      showToast({ title: words('notDecided'), detail, isError: true })
      return
    }
    explainMany(rows)
  }

  /** The screen stays where it is: whoever presses keys in a row must not decide on something else by it. */
  function explainMany(rows: readonly Listed[]): void {
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

  /** The latest first; pressed again, the one before. */
  function undo(): void {
    const latest = done.current.at(-1)
    if (latest === undefined) {
      onNothingToUndo()
      return
    }
    done.current = done.current.slice(0, -1)
    closeLatest.current()
    void latest.outcome.then((came) => {
      if (came && came.decisionId !== null) void undoById(came.decisionId, latest.ids)
    })
  }

  async function undoById(decisionId: string, ids: readonly string[]): Promise<void> {
    done.current = done.current.filter((other) => other.decisionId !== decisionId)
    try {
      const { meta } = await track(oneByOne(ids, () => undoDecision(decisionId)))
      await reload(ids)
      bringBack(ids)
      const isWhole = meta.changed_since === 0
      showToast(
        isWhole
          ? { title: words('undone') }
          : { title: words('undoneInPart', { count: meta.changed_since }), isError: true },
      )
      if (meta.undone > 0 && ids[0] !== undefined) onUndone(ids[0])
    } catch (error) {
      showToast({ title: words('notUndone'), detail: textOf(error), isError: true })
    }
  }

  return {
    /** Whether it is still to be decided on, as far as is known here. */
    isOpen: ({ id, version }: Listed) => version > (decided.get(id) ?? 0),
    pending,
    settled,
    /** As each looked when it was decided on, of those that had changed by then. */
    conflicts,
    undo,
    undoById,
    decide(row: Listed, { reason, ...verdict }: Asked, onSuccess?: () => void) {
      const send = async (): Promise<Outcome> => {
        const { decision_id } = await moderate(seen(row), await wordsIn(verdict, reason))
        return {
          title: words(`done.${verdict.status}`, { titre: row.titre }),
          decisionId: decision_id,
        }
      }
      carryOut([row], send, onSuccess)
    },
    decideMany(rows: readonly Listed[], { reason, ...verdict }: Asked, onSuccess?: () => void) {
      const send = async () => moderateMany(rows, await wordsIn(verdict, reason))
      carryOut(rows, () => send().then(outcomeOf), onSuccess)
    },
    /** Another deed on several, by the route that does it. */
    change(rows: readonly Listed[], send: () => Promise<BulkAnswer>) {
      carryOut(rows, () => send().then(outcomeOf))
    },
    close(row: Listed) {
      const send = async (): Promise<Outcome> => {
        const { decision_id } = await closeReports(seen(row))
        return { title: words('closed', { titre: row.titre }), decisionId: decision_id }
      }
      carryOut([row], send)
    },
  }

  /** Loads what is on the screen again, and forgets these where they are not: a decision needs the version of now. */
  async function reload(ids: readonly string[]): Promise<void> {
    for (const id of ids)
      client.removeQueries({ queryKey: publicationQuery(id).queryKey, type: 'inactive', exact: true })
    await client.invalidateQueries({ queryKey: ['publications'] })
  }

  function outcomeOf({ data, meta }: BulkAnswer): Outcome {
    const changed = data.filter(({ result }) => result === 'changed').map(({ id }) => id)
    return { title: words('doneMany', { count: meta.updated }), decisionId: meta.decision_id, changed }
  }

  /** The record on the screen, which may be newer than the row of the list. */
  function seen(row: Listed) {
    return client.getQueryData(publicationQuery(row.id).queryKey) ?? row
  }
}

const wordsIn = async (verdict: Omit<Asked, 'reason'>, reason: Asked['reason']): Promise<Verdict> => {
  const text = await reason
  return { ...verdict, ...(text && { reason: text }) }
}
