import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isStatus } from '../../api/failure.ts'
import { oneByOne } from '../../shell/deciding/one-by-one.ts'
import { useFailureToast } from '../../shell/shown-failure.tsx'
import { showToast } from '../../ui/toast.tsx'
import { decideForMairie, type Supervised, type Verdict } from './supervision.queries.ts'

/**
 * Decides for a mairie, with optimistic updates: a row disappears at once, and returns if the service refuses or the
 * decision is undone. Undoing makes the publication pending again.
 */
export function useMairieDecisions(acteurId: string, onUndone: (id: string) => void) {
  const words = useTranslations('queue')
  const showFailure = useFailureToast()
  const client = useQueryClient()
  /** Version in which each publication was decided. */
  const [decided, setDecided] = useState<ReadonlyMap<string, number>>(new Map())
  /** Rows as the user saw them when the service refused their decision because of a change. */
  const [conflicts, setConflicts] = useState<ReadonlyMap<string, Supervised>>(new Map())
  const done = useRef<{ id: string; version: number }[]>([])
  const closeLatest = useRef(() => {})
  const without = <Value>(map: ReadonlyMap<string, Value>, id: string) =>
    new Map([...map].filter(([other]) => other !== id))
  const reload = () => client.invalidateQueries({ queryKey: ['publications'] })

  async function undo(): Promise<void> {
    const latest = done.current.pop()
    if (latest === undefined) return
    closeLatest.current()
    try {
      await oneByOne([latest.id], () => decideForMairie(acteurId, latest, { status: 'pending' }))
      await reload()
      setDecided((before) => without(before, latest.id))
      showToast({ title: words('undone') })
      onUndone(latest.id)
    } catch (error) {
      showFailure(words('notUndone'), error)
    }
  }

  async function decide(row: Supervised, verdict: Verdict, onSuccess?: () => void): Promise<void> {
    const { id, titre, version } = row
    setDecided((before) => new Map([...before, [id, version]]))
    setConflicts((before) => without(before, id))
    try {
      const after = await oneByOne([id], () => decideForMairie(acteurId, row, verdict))
      done.current.push({ id, version: after.version })
      onSuccess?.()
      closeLatest.current()
      closeLatest.current = showToast({
        title: words(`done.${verdict.status}`, { titre }),
        action: { label: words('undo'), shortcut: 'u', run: () => void undo() },
      })
    } catch (error) {
      setDecided((before) => without(before, id))
      if (isStatus(error, 412)) {
        setConflicts((before) => new Map([...before, [id, row]]))
        showToast({ title: words('changed.toast', { count: 1, titre }), isError: true })
      } else showFailure(words('notDecided'), error, { subject: titre })
    }
    await reload()
  }

  return {
    /** Whether the row is still to be decided, as far as this client knows. */
    isOpen: ({ id, version }: Supervised) => version > (decided.get(id) ?? 0),
    conflicts,
    undo: () => void undo(),
    decide: (row: Supervised, verdict: Verdict, onSuccess?: () => void) =>
      void decide(row, verdict, onSuccess),
  }
}
