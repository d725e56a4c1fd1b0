import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { showToast } from '../../ui/toast.tsx'
import type { CarryOut } from './carry-out.ts'
import { type BulkAnswer, type BulkChange, changeThreads, type One, type Thread } from './queries.ts'
import type { Undo } from './undo.ts'

/** Changes threads: one, or several at once. */
export function useChanges(carryOut: CarryOut, undo: Undo, onChanged: (...threads: Thread[]) => void) {
  const words = useTranslations('messages')
  /** Versions that the user's own changes made: a next change must not fail because of them. */
  const own = useRef(new Map<string, number>())

  const latestOf = <Known extends One>(thread: Known): Known => ({
    ...thread,
    version: Math.max(thread.version, own.current.get(thread.id) ?? 0),
  })

  function put(thread: Thread): void {
    own.current.set(thread.id, thread.version)
    onChanged(thread)
  }

  /** Notes the versions that a change of several threads made. */
  function noteVersions(before: readonly One[], { data }: BulkAnswer): void {
    const updated = new Set(data.filter(({ result }) => result === 'updated').map(({ id }) => id))
    for (const { id, version } of before) if (updated.has(id)) own.current.set(id, version + 1)
  }

  /** Restores the fields that a change of several threads has set, except in threads that somebody changed since. */
  async function undoBulk(change: BulkChange, { data }: BulkAnswer): Promise<void> {
    const groups = Map.groupBy(
      data.filter(({ result }) => result === 'updated'),
      ({ previous }) => JSON.stringify(previous),
    )
    let leftAlone = 0
    for (const rows of groups.values()) {
      const { status, ...before } = rows[0]?.previous ?? {}
      const all: BulkChange = { ...before, closed: status === 'closed' }
      const names = Object.keys(change) as (keyof BulkChange)[]
      const restored = Object.fromEntries(names.map((name) => [name, all[name]]))
      const now = rows.map(({ id }) => latestOf({ id, version: 0 }))
      const answer = await changeThreads(now, restored)
      noteVersions(now, answer)
      leftAlone += answer.meta.changed
    }
    const detail = leftAlone > 0 && words('leftAlone', { count: leftAlone })
    showToast({ title: words('changeUndone'), ...(detail && { detail }) })
  }

  return {
    /** The thread after an own change of what is shown, such as that it was read. What others have changed is not passed over. */
    afterOwn<Known extends One>(shown: Known): Known {
      const now = latestOf(shown)
      return now.version === shown.version + 1 ? now : shown
    },
    /** Changes one thread; `undoing` restores it. */
    change<Known extends One>(
      thread: Known,
      action: (now: Known) => Promise<Thread>,
      done?: { title: string; undoing: (now: Thread) => Promise<Thread> },
    ) {
      void carryOut([thread.id], async () => {
        const changed = await action(latestOf(thread))
        put(changed)
        if (done === undefined) return
        undo.offer(
          done.title,
          () =>
            void carryOut([thread.id], async () => {
              put(await done.undoing(latestOf(changed)))
              showToast({ title: words('changeUndone') })
            }),
        )
      })
    },
    changeMany(threads: readonly Thread[], change: BulkChange) {
      const ids = threads.map(({ id }) => id)
      void carryOut(ids, async () => {
        const now = threads.map(latestOf)
        const answer = await changeThreads(now, change)
        noteVersions(now, answer)
        const { updated, changed } = answer.meta
        const detail = changed > 0 ? words('leftAlone', { count: changed }) : undefined
        const title = words('changedMany', { count: updated })
        if (updated > 0)
          undo.offer(title, () => void carryOut(ids, () => undoBulk(change, answer)), { detail })
        else showToast({ title, ...(detail && { detail }) })
      })
    },
  }
}
