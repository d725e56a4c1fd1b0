import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { isStatus } from '../../api/failure.ts'
import { useMailPlace, withNote } from '../../shell/mail-place.tsx'
import { showToast } from '../../ui/toast.tsx'
import type { CarryOut } from './carry-out.ts'
import { type Message, type ReadThread, sendAgain, sendReply, threadQuery, undoReply } from './queries.ts'
import { forgetDraft, restoreDraft, withDraftLocked } from './thread/draft.ts'
import type { Undo } from './undo.ts'

type Options = {
  /** Returns the thread after an own change that was under way when it was shown. */
  afterOwn: (shown: ReadThread) => ReadThread
  onRestored: (threadId: string) => void
}

/** Sends replies and takes them back. */
export function useReplies(carryOut: CarryOut, undo: Undo, { afterOwn, onRestored }: Options) {
  const words = useTranslations('messages')
  const client = useQueryClient()
  const { mail, note } = useMailPlace()
  const [isSending, setSending] = useState(false)

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

  return {
    isSending,
    undoSend(message: Message) {
      undo.withdraw(message.id)
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
      undo.expect(undoThis)
      setSending(true)
      void carryOut([thread.id], async () => {
        try {
          sent = await withDraftLocked(thread.id, () => sendReply(afterOwn(thread), body))
          forgetDraft(client, thread.id)
          onSent()
          const to = thread.nom ?? thread.email ?? ''
          if (!undo.isLatest(undoThis)) return
          const detail = withNote(words('leavesSoon', { mail }), note)
          undo.offer(words('sentTo', { to }), undoThis, { detail, sent: sent.id })
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
  }
}
