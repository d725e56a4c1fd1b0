import { withCanOf } from '../../../platform/access/rules.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../../platform/http/paging.ts'
import { record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { listPresent } from '../../presence/queries.ts'
import { getThread } from '../queries.ts'
import { ById, Message, threadActions } from '../schema.ts'
import { countThreads, countUnread, listMessages, listThreads } from './queries.ts'
import { MessagesQuery, ThreadRead, ThreadsPage, ThreadsQuery } from './schema.ts'

const withCan = withCanOf(threadActions)

export function readThreadsRoutes(
  scope: SignedInScope,
  { reads, lists }: Pick<Deps, 'reads' | 'lists'>,
): void {
  scope.get(
    '/admin/messages/threads',
    {
      schema: {
        operationId: 'listSupportThreads',
        summary: 'Support threads, the last written to first, or as asked',
        querystring: ThreadsQuery,
        response: { 200: ThreadsPage },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, adminPerPage)
      const [rows, total, unread] = await Promise.all([
        listThreads(lists, query, paging),
        countThreads(lists, query),
        countUnread(lists),
      ])
      const { data, meta } = page(rows.map(withCan), total, paging)
      return { data, meta: { ...meta, unread } }
    },
  )

  scope.get(
    '/admin/messages/threads/:id',
    {
      schema: {
        operationId: 'getSupportThread',
        summary: 'Read a support thread, without its messages',
        params: ById,
        response: { 200: record(ThreadRead) },
      },
    },
    async ({ params, caller }) => {
      const [thread, present] = await Promise.all([
        getThread(reads, params.id),
        listPresent(reads, caller, { kind: 'thread', id: params.id }),
      ])
      return { data: { ...withCan(thread), present } }
    },
  )

  scope.get(
    '/admin/messages/threads/:id/messages',
    {
      schema: {
        operationId: 'listSupportMessages',
        summary:
          'The messages of a support thread: the newest on the first page, each page in the order of writing',
        params: ById,
        querystring: MessagesQuery,
        response: { 200: Page(Message) },
      },
    },
    async ({ params, query }) => {
      const paging = pagingOf(query, adminPerPage)
      const [{ messages_count }, rows] = await Promise.all([
        getThread(lists, params.id),
        listMessages(lists, params.id, paging),
      ])
      return page(rows, messages_count, paging)
    },
  )
}
