import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { withCanOf } from '../../platform/access/rules.ts'
import { among, anyOf, equals, flag as isFlagged } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { beginsWords } from '../../platform/database/search.ts'
import { byId, type SortKey } from '../../platform/database/sort-order.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { ListPage, ListPageWith, listPage } from '../../platform/http/listing/list-page.ts'
import { idsQuery, listQuery, several, sortQuery } from '../../platform/http/listing/paging.ts'
import { Id, nullable, oneOf, record, text, UserName } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { listPresent } from '../presence/queries.ts'
import { withPresence } from '../presence/schema.ts'
import { Draft, findDraft, listDrafting } from './drafts.ts'
import { getThread, requireThread, shownThread } from './queries.ts'
import {
  ById,
  flags,
  Message,
  type MessageRow,
  messageActions,
  statuses,
  Thread,
  threadActions,
} from './schema.ts'

const ThreadsQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['last_message_at', 'created_at'], 'last_message_at_desc'),
  ids: idsQuery,
  status: several(oneOf(statuses), 'In one of these states, separated by commas'),
  unread: several(Type.Boolean(), 'Waiting to be read, or not'),
  flag: several(oneOf([...flags, 'none']), 'With one of these flags, separated by commas; `none`: without'),
  assignee: several(
    Type.Union([Id(), Type.Literal('none')]),
    'Handled by one of these colleagues, separated by commas; `none`: by nobody',
  ),
  about: Type.Optional(Id('The claim, the complaint or the acteur that the answered mail was about')),
  q: Type.Optional(
    text(200, {
      description:
        'Beginnings of words of the subject, of the name, of the address or of what was said; or the number',
      examples: ['vauquelin'],
    }),
  ),
})
type ThreadsQuery = Static<typeof ThreadsQuery>

const MessagesQuery = Type.Object(listQuery)

const ThreadRead = withPresence(
  {
    ...Thread.properties,
    draft: nullable(Draft),
    drafting: Type.Array(UserName, {
      description: 'Colleagues who have a draft here, the latest first; at most 20',
    }),
  },
  'SupportThreadRead',
)

const unread = Type.Integer({ description: 'All unread threads, whatever the filters', examples: [7] })
const ThreadsPage = ListPageWith('SupportThreadsMeta', { unread }, Thread)

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

const byAge: SortKey[] = [{ by: sql`created_at`, type: 'time' }, byId]

const threadsList: List<ThreadsQuery, Thread> = {
  name: 'threads',
  from: sql`support_threads t`,
  as: 't',
  filters: {
    ids: among('id'),
    status: among('status'),
    unread: isFlagged('unread'),
    flag: isOneOf('flag'),
    assignee: isOneOf('assignee_id'),
    about: equals('about_id'),
    q: (q) => beginsWords(sql`search`, q),
  },
  sorts: { last_message_at: [{ by: sql`last_message_at`, type: 'time' }, byId], created_at: byAge },
  defaults: { sort: 'last_message_at_desc' },
  columns: shownThread,
}

async function countUnread(db: Database): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from support_threads where unread`.execute(db)
  return rows[0]?.total ?? 0
}

/** Matches one of these values; `none` matches null. */
function isOneOf(column: string) {
  return (wanted: readonly string[]): RawBuilder<boolean> => {
    const values = wanted.filter((one) => one !== 'none')
    return anyOf(
      ...(values.length > 0 ? [sql<boolean>`${sql.ref(column)} in (${sql.join([...new Set(values)])})`] : []),
      ...(wanted.includes('none') ? [sql<boolean>`${sql.ref(column)} is null`] : []),
    )
  }
}

/** An inbound message shows the name that its author gave, unless somebody else sent it. */
const shownMessage = sql<MessageRow>`
  m.id, m.thread_id, m.direction, m.body, m.email_status, m.email_error, m.may_have_arrived, m.created_at,
  json_build_object('id', m.author_id, 'nom', case m.direction
    when 'inbound' then (
      select t.nom from support_threads t where t.id = m.thread_id and not exists (
        select from received_mails r where r.message_id = m.id and r.sender <> 'same'))
    else (select u.nom from users u where u.id = m.author_id) end) as author,
  (select json_build_object('sender', r.sender, 'from', nullif(r.from_address, ''), 'quoted', r.quoted,
    'attachments', r.attachments, 'problem', r.problem) from received_mails r where r.message_id = m.id) as received`

const messagesOfThread = (threadId: string): List<object, MessageRow> => ({
  name: 'messages',
  from: sql`support_messages m`,
  as: 'm',
  where: sql`thread_id = ${threadId}`,
  filters: {},
  sorts: { created_at: byAge },
  defaults: { sort: 'created_at_desc' },
  columns: shownMessage,
  total: sql<number>`(select messages_count from support_threads where id = ${threadId})`,
})

export async function getMessage(db: Database, id: string): Promise<MessageRow> {
  const { rows } = await sql<MessageRow>`
    select ${shownMessage} from support_messages m where m.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}
