import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { components } from '../../api/api.generated.ts'
import { api, got } from '../../api/client.ts'
import { atVersion, seenRows } from '../../api/versions.ts'
import type { MessagesSearch } from './search.ts'

export type Thread = components['schemas']['SupportThread']
export type ReadThread = components['schemas']['SupportThreadRead']
export type Message = components['schemas']['SupportMessage']

/** Filters of the list, with the user's own id in place of `me`. */
export type Filters = Required<Pick<MessagesSearch, 'status'>> &
  Pick<MessagesSearch, 'q' | 'only' | 'assignee'>

export const perPage = 50

/** Returns the filters of the list in the API. */
export const queryOf = ({ q, status, only, assignee }: Filters) => ({
  ...(q && { q }),
  ...(status !== 'all' && { status: [status] }),
  ...(only === 'unread' ? { unread: [true] } : only && { flag: [only] }),
  ...(assignee && { assignee: [assignee] }),
})

function readThreads(filters: Filters, after: string | null, signal: AbortSignal) {
  const query = { ...queryOf(filters), per_page: perPage, ...(after !== null && { after }) }
  return got(api.GET('/api/v1/admin/messages/threads', { signal, params: { query: query as never } }))
}

/** List on the screen. Reloads on request only, so that nothing moves under the cursor. */
export const threadsQuery = (filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['threads', 'list', filters],
    queryFn: ({ signal, pageParam }) => readThreads(filters, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next,
    refetchOnWindowFocus: false,
    meta: { stays: true },
  })

/** Current first page of the list: changed rows are shown, new ones are announced. */
export const newestThreadsQuery = (filters: Filters) =>
  queryOptions({
    queryKey: ['threads', 'newest-list', filters],
    queryFn: ({ signal }) => readThreads(filters, null, signal),
  })

export const threadQuery = (id: string) =>
  queryOptions({
    queryKey: ['threads', 'one', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id } }
      return (await got(api.GET('/api/v1/admin/messages/threads/{id}', { signal, params }))).data
    },
  })

/** Messages of a thread: the newest page first. */
export const messagesQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['threads', 'messages', id],
    queryFn: ({ signal, pageParam }) => {
      const query = { per_page: perPage, ...(pageParam !== null && { after: pageParam }) }
      const params = { path: { id }, query }
      return got(api.GET('/api/v1/admin/messages/threads/{id}/messages', { signal, params }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ meta }) => meta.next,
  })

export const colleaguesQuery = queryOptions({
  queryKey: ['support-colleagues'],
  staleTime: 60_000,
  queryFn: async ({ signal }) => (await got(api.GET('/api/v1/admin/messages/colleagues', { signal }))).data,
})

export type One = Pick<Thread, 'id' | 'version'>

export async function sendReply(thread: One, body: string): Promise<Message> {
  const params = atVersion(thread)
  return (await got(api.POST('/api/v1/admin/messages/threads/{id}/reply', { params, body: { body } }))).data
}

/** Deletes a reply that has not left yet. */
export async function undoReply(threadId: string, id: string): Promise<Message> {
  const params = { path: { threadId, id } }
  return (await got(api.DELETE('/api/v1/admin/messages/threads/{threadId}/messages/{id}', { params }))).data
}

export function sendAgain({ id, thread_id }: Message) {
  const params = { path: { id: thread_id } }
  return got(api.POST('/api/v1/admin/messages/threads/{id}/reply', { params, body: { resend_of: id } }))
}

export const saveDraft = (id: string, body: string) =>
  got(api.PUT('/api/v1/admin/messages/threads/{id}/draft', { params: { path: { id } }, body: { body } }))

export async function closeThread(thread: One, closed: boolean): Promise<Thread> {
  const params = atVersion(thread)
  return (await got(api.PATCH('/api/v1/admin/messages/threads/{id}/close', { params, body: { closed } })))
    .data
}

/** Marks a thread as read or unread, whatever else has changed. */
export async function markThread({ id }: Pick<One, 'id'>, unread: boolean): Promise<Thread> {
  const params = { path: { id } }
  const answer = unread
    ? api.PATCH('/api/v1/admin/messages/threads/{id}/unread', { params })
    : api.PATCH('/api/v1/admin/messages/threads/{id}/read', { params })
  return (await got(answer)).data
}

export async function flagThread(thread: One, flag: Thread['flag']): Promise<Thread> {
  const params = atVersion(thread)
  return (await got(api.PATCH('/api/v1/admin/messages/threads/{id}/flag', { params, body: { flag } }))).data
}

export async function assignThread(thread: One, user_id: string | null): Promise<Thread> {
  const params = atVersion(thread)
  return (await got(api.PUT('/api/v1/admin/messages/threads/{id}/assignee', { params, body: { user_id } })))
    .data
}

export type BulkChange = {
  closed?: boolean
  unread?: boolean
  flag?: Thread['flag']
  assignee_id?: string | null
}
export type BulkAnswer = components['schemas']['SupportThreadBulkAnswer']

/** Changes several threads. The service skips those that have a newer version. */
export const changeThreads = (rows: readonly One[], change: BulkChange): Promise<BulkAnswer> =>
  got(api.PATCH('/api/v1/admin/messages/threads/bulk', { body: { ...seenRows(rows), ...change } }))
