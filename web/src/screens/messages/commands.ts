import { useTranslations } from 'use-intl'
import type { Actions } from './actions.ts'
import {
  assignThread,
  type BulkChange,
  closeThread,
  markThread,
  type ReadThread,
  type Thread,
} from './queries.ts'

type Subject = {
  me: string
  /** The open thread. */
  thread: ReadThread | null
  /** The selected threads. If there are any, commands apply to these. */
  several: readonly Thread[]
  actions: Actions
  onChangedSeveral: () => void
  onClosed: () => void
}

/** What buttons and keys do: to the selected threads, or to the open one. */
export function useCommands({ me, thread, several, actions, onChangedSeveral, onClosed }: Subject) {
  const words = useTranslations('messages')
  const changeSeveral = (change: BulkChange) => {
    actions.changeMany(several, change)
    onChangedSeveral()
  }
  const assign = (userId: string | null) => {
    if (thread === null) return
    const before = thread.assignee_id
    actions.change(thread, (now) => assignThread(now, userId), {
      title: words(userId === null ? 'unassigned' : 'assigned'),
      undoing: (now) => assignThread(now, before),
    })
  }
  return {
    assign,
    close() {
      if (several.length > 0) return changeSeveral({ closed: several.some((row) => row.status === 'open') })
      if (thread === null) return
      const closed = thread.status === 'open'
      const title = words(closed ? 'closed' : 'opened', { subject: thread.subject })
      actions.change(thread, (now) => closeThread(now, closed), {
        title,
        undoing: (now) => closeThread(now, !closed),
      })
      if (closed) onClosed()
    },
    mark() {
      if (several.length > 0) return changeSeveral({ unread: several.every((row) => !row.unread) })
      if (thread !== null) actions.change(thread, (now) => markThread(now, !thread.unread))
    },
    take() {
      if (several.length > 0) return changeSeveral({ assignee_id: me })
      if (thread !== null && thread.assignee_id !== me) assign(me)
    },
  }
}
