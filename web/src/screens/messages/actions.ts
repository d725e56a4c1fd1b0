import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isStatus } from '../../api/failure.ts'
import { oneByOne } from '../../shell/deciding/one-by-one.ts'
import { useMailPlace, withNote } from '../../shell/mail-place.tsx'
import { showToast } from '../../ui/toast.tsx'
import {
  type BulkAnswer,
  type BulkChange,
  changeThreads,
  type Message,
  type One,
  type ReadThread,
  sendAgain,
  sendReply,
  type Thread,
  threadQuery,
  undoReply,
} from './queries.ts'
import { forgetDraft, restoreDraft, withDraftLocked } from './thread/draft.ts'

type Options = {
  /** Called with the results of changes, to show them in the list. */
  onChanged: (...threads: Thread[]) => void
  /** Called when an undone reply is a draft again. */
  onRestored: (threadId: string) => void
}

/** Actions on threads. Remembers how to undo the latest. */
export function useActions({ onChanged, onRestored }: Options) {
  const words = useTranslations('messages')
  const client = useQueryClient()
  const { mail, note } = useMailPlace()
  const [error, setError] = useState<unknown>(null)
  const [isSending, setSending] = useState(false)
  /** Versions that the user's own changes made: a next change must not fail because of them. */
  const own = useRef(new Map<string, number>())
  const latest = useRef<(() => void) | null>(null)
  const closeToast = useRef(() => {})
  /** Id of the reply that the latest toast is about. */
  const lastSent = useRef<string | null>(null)

  async function carryOut(ids: readonly string[], action: () => Promise<void>): Promise<void> {
    setError(null)
    try {
      await oneByOne(ids, action)
    } catch (failure) {
      setError(failure)
    }
    // Also after a failure, because another user may have changed the thread.
    for (const queryKey of [
      ['threads', 'newest-list'],
      ['threads', 'one'],
      ['threads', 'messages'],
      ['dashboard'],
    ])
      void client.invalidateQueries({ queryKey })
  }

  const latestOf = <Known extends One>(thread: Known): Known => ({
    ...thread,
    version: Math.max(thread.version, own.current.get(thread.id) ?? 0),
  })

  function put(thread: Thread): void {
    own.current.set(thread.id, thread.version)
    onChanged(thread)
  }

  function offerUndo(title: string, run: () => void, detail?: string): void {
    latest.current = run
    lastSent.current = null
    closeToast.current = showToast({
      title,
      ...(detail !== undefined && { detail }),
      action: { label: words('undo'), shortcut: 'u', run: undo },
    })
  }

  function undo(): void {
    const run = latest.current
    latest.current = null
    closeToast.current()
    if (run === null) showToast({ title: words('nothingToUndo') })
    else run()
  }

  async function undoSend({ id, thread_id }: Message): Promise<void> {
    try {
      await withDraftLocked(thread_id, async () => {
        const { body } = await undoReply(thread_id, id)
        await restoreDraft(client, thread_id, body)
      })
      showToast({ title: words('undone') })
      onRestored(thread_id)
    } catch (failure) {
      if (!isStatus(failure, 409)) throw failure
      showToast({ title: words('tooLate'), isError: true })
    }
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
    error,
    isSending,
    undo,
    undoSend(message: Message) {
      // The toast of this reply would offer the same again.
      if (lastSent.current === message.id) {
        latest.current = null
        closeToast.current()
      }
      void carryOut([message.thread_id], () => undoSend(message))
    },
    /** Sends a reply. Calls `onSent`, or `onRefused` if somebody changed the thread since this version. */
    send(
      thread: ReadThread,
      body: string,
      { onSent, onRefused }: { onSent: () => void; onRefused: () => void },
    ) {
      let sent: Message | null = null
      // Waits for the reply, so that a key pressed at once is not lost.
      const undoThis = () =>
        void carryOut([thread.id], async () => {
          if (sent === null) showToast({ title: words('nothingToUndo') })
          else await undoSend(sent)
        })
      latest.current = undoThis
      setSending(true)
      void carryOut([thread.id], async () => {
        try {
          sent = await withDraftLocked(thread.id, () => sendReply(thread, body))
          forgetDraft(client, thread.id)
          onSent()
          const to = thread.nom ?? thread.email ?? ''
          if (latest.current !== undoThis) return
          offerUndo(words('sentTo', { to }), undoThis, withNote(words('leavesSoon', { mail }), note))
          lastSent.current = sent.id
        } catch (failure) {
          if (!isStatus(failure, 412)) throw failure
          await Promise.all([
            client.refetchQueries({ queryKey: ['threads', 'messages', thread.id] }),
            client.refetchQueries({ queryKey: threadQuery(thread.id).queryKey }),
          ])
          onRefused()
        }
      }).finally(() => setSending(false))
    },
    resend(message: Message) {
      void carryOut([message.thread_id], async () => {
        await sendAgain(message)
        showToast({ title: words('resent') })
      })
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
        offerUndo(
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
        if (updated > 0) offerUndo(title, () => void carryOut(ids, () => undoBulk(change, answer)), detail)
        else showToast({ title, ...(detail && { detail }) })
      })
    },
  }
}
