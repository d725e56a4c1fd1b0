import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { readAfresh } from '../../../api/queries.ts'
import { oneByOne } from '../../../shell/deciding/one-by-one.ts'
import { readDraft, useDraft, writeDraft } from '../../../shell/drafts.ts'
import { type ReadThread, saveDraft, threadQuery } from '../queries.ts'

const draftName = (threadId: string) => `reply.${threadId}`
/** Text that the service has: a copy on the device that equals it gives way to a newer one of the service. */
const savedName = (threadId: string) => `reply-saved.${threadId}`

type Draft = ReadThread['draft']

/** Stores in the cache which draft the service has, so that a thread opened again shows no older one. */
function cacheDraft(client: QueryClient, threadId: string, draft: Draft): void {
  client.setQueryData(threadQuery(threadId).queryKey, (thread) => thread && { ...thread, draft })
}

/**
 * Shows the draft to which the service has added the text of an undone reply. Words that this device has not saved
 * yet stay before that text. The reply of a colleague changes only the colleague's draft.
 */
export async function restoreDraft(client: QueryClient, threadId: string, undone: string): Promise<void> {
  const { draft } = await readAfresh(client, threadQuery(threadId))
  const ofService = draft?.body ?? ''
  const [typed, saved] = [readDraft(draftName(threadId)), readDraft(savedName(threadId))]
  writeDraft(savedName(threadId), ofService)
  if (typed === saved) writeDraft(draftName(threadId), ofService)
  else if (ofService !== saved)
    writeDraft(draftName(threadId), typed.trim() === '' ? undone : `${typed}\n\n${undone}`)
}

/** Forgets a draft that the service has as a reply. */
export function forgetDraft(client: QueryClient, threadId: string): void {
  cacheDraft(client, threadId, null)
  writeDraft(savedName(threadId), '')
  writeDraft(draftName(threadId), '')
}

/** Waits until no request stores the draft, and delays further ones. */
export const withDraftLocked = <Answer>(threadId: string, work: () => Promise<Answer>): Promise<Answer> =>
  oneByOne([lockOf(threadId)], work)

const lockOf = (threadId: string) => `draft ${threadId}`
const debounceMs = 800

/**
 * Draft of a reply. What is typed stays on the device at once, and on the service after a short pause, so that
 * it survives a reload, a failed request and a change of device.
 */
export function useReplyDraft({ id, draft }: Pick<ReadThread, 'id' | 'draft'>) {
  const client = useQueryClient()
  const [text, setText] = useDraft(draftName(id))
  const [saved] = useDraft(savedName(id))
  const [state, setState] = useState<'saved' | 'saving' | 'failed'>('saved')
  const latest = useRef({ text, saved })
  latest.current = { text, saved }

  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) return
    isFirst.current = false
    const ofService = draft?.body ?? ''
    // Unsaved words of this device win; otherwise another device may have gone on.
    if (text === saved && text !== ofService) {
      writeDraft(savedName(id), ofService)
      setText(ofService)
    }
  })

  const save = useRef(async () => {})
  save.current = () =>
    oneByOne([lockOf(id)], async () => {
      const body = latest.current.text
      if (body === latest.current.saved) return
      setState('saving')
      try {
        cacheDraft(client, id, (await saveDraft(id, body)).data)
        writeDraft(savedName(id), body)
        setState('saved')
      } catch {
        setState('failed')
      }
    })
  useEffect(() => {
    if (text === saved) return
    const timer = setTimeout(() => void save.current(), debounceMs)
    return () => clearTimeout(timer)
  }, [text, saved])
  useEffect(() => {
    const pending = save
    return () => void pending.current()
  }, [])

  return {
    text,
    setText,
    /** Adds a paragraph to what is typed at this moment. */
    append(paragraph: string) {
      const typed = readDraft(draftName(id))
      setText(typed.trim() === '' ? paragraph : `${typed.trimEnd()}\n\n${paragraph}`)
    },
    /** `saved`: the service has the text; null: nothing is typed, or not yet stored. */
    state: text === '' ? null : text === saved || state !== 'saved' ? state : null,
  }
}
