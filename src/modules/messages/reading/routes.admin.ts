import { withCanOf } from '../../../platform/access/rules.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../../platform/http/listing/list-page.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { listPresent } from '../../presence/queries.ts'
import { findDraft, listDrafting } from '../drafts/queries.ts'
import { getThread, requireThread } from '../queries.ts'
import { ById, Message, type MessageRow, messageActions, threadActions } from '../schema.ts'
import { countUnread, messagesOfThread, threadsList } from './queries.ts'
import { MessagesQuery, ThreadRead, ThreadsPage, ThreadsQuery } from './schema.ts'

const withCan = withCanOf(threadActions)
const messageWithCan = withCanOf(messageActions)
const inOrderOfWriting = (rows: MessageRow[]) => rows.toReversed().map(messageWithCan)

export function readThreadsRoutes(scope: SignedInScope, { reads, lists }: Deps): void {
  scope.get(
    '/admin/messages/threads',
    {
      schema: {
        operationId: 'listSupportThreads',
        summary: 'List support threads, latest message first by default',
        querystring: ThreadsQuery,
        response: { 200: ThreadsPage },
      },
    },
    async ({ query }) => {
      const [{ data, meta }, unread] = await Promise.all([
        listPage(lists, threadsList, query, (rows) => rows.map(withCan)),
        countUnread(lists),
      ])
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
      const [thread, present, draft, drafting] = await Promise.all([
        getThread(reads, params.id),
        listPresent(reads, caller, { kind: 'thread', id: params.id }),
        findDraft(reads, params.id, caller.user.id),
        listDrafting(reads, params.id, caller.user.id),
      ])
      return { data: { ...withCan(thread), present, draft, drafting } }
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
        response: { 200: ListPage(Message) },
      },
    },
    async ({ params, query }) => {
      const [answer] = await Promise.all([
        listPage(lists, messagesOfThread(params.id), query, inOrderOfWriting),
        requireThread(lists, params.id),
      ])
      return answer
    },
  )
}
