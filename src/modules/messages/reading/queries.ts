import { type RawBuilder, sql } from 'kysely'
import { allOf, among, anyOf, flag as isFlagged } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { beginsWords } from '../../../platform/database/search.ts'
import { byId, type SortKey, sortOrders } from '../../../platform/database/sort-order.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { type Placed, readSlice, type Slice } from '../../../platform/http/listing/slice.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { shownThread } from '../queries.ts'
import type { MessageRow, Thread } from '../schema.ts'
import type { ThreadsQuery } from './schema.ts'

export function listThreads(db: Database, query: ThreadsQuery, paging: Paging): Promise<Slice<Thread>> {
  const order = orders[query.sort ?? 'last_message_at_desc']
  return readSlice<Thread>(paging, order, async ({ after, limit, offset }) => {
    const { rows } = await sql<Thread & Placed>`
      select ${shownThread}, t.sort_values from (
        select *, ${order.values}, row_number() over () as place from (
          select * from support_threads where ${allOf(matching(query), after)}
          order by ${order.by} limit ${limit} offset ${offset}) page) t
      order by t.place`.execute(db)
    return rows
  })
}

export async function countThreads(db: Database, query: ThreadsQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from support_threads where ${matching(query)}`.execute(db)
  return rows[0]?.total ?? 0
}

export async function countUnread(db: Database): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from support_threads where unread`.execute(db)
  return rows[0]?.total ?? 0
}

function matching({ ids, status, unread, flag, assignee, q }: ThreadsQuery): RawBuilder<boolean> {
  return allOf(
    among('id', ids),
    among('status', status),
    isFlagged('unread', unread),
    flag !== undefined && isOneOf('flag', new Set(flag)),
    assignee !== undefined && isOneOf('assignee_id', new Set(assignee)),
    q !== undefined && beginsWords(sql`search`, q),
  )
}

/** Matches one of these values; `none` matches null. */
function isOneOf(column: string, wanted: Set<string>): RawBuilder<boolean> {
  const values = [...wanted].filter((one) => one !== 'none')
  const conditions = [
    ...(values.length > 0 ? [sql<boolean>`${sql.ref(column)} in (${sql.join(values)})`] : []),
    ...(wanted.has('none') ? [sql<boolean>`${sql.ref(column)} is null`] : []),
  ]
  return anyOf(...conditions)
}

const byAge: SortKey[] = [{ by: sql`created_at`, type: 'time' }, byId]
const orders = sortOrders('threads', {
  last_message_at: [{ by: sql`last_message_at`, type: 'time' }, byId],
  created_at: byAge,
})

/** Lists the messages of a thread, newest first. */
export function listMessages(db: Database, threadId: string, paging: Paging): Promise<Slice<MessageRow>> {
  return readSlice<MessageRow>(paging, newestFirst, async ({ after, limit, offset }) => {
    const { rows } = await sql<MessageRow & Placed>`
      select ${answered}, m.sort_values from (
        select *, ${newestFirst.values} from support_messages where thread_id = ${threadId} and ${after}
        order by ${newestFirst.by} limit ${limit} offset ${offset}) m
      ${withAuthor} order by m.created_at desc, m.id desc`.execute(db)
    return rows
  })
}

const newestFirst = sortOrders('messages', { created_at: byAge }).created_at_desc

export async function getMessage(db: Database, id: string): Promise<MessageRow> {
  const { rows } = await sql<MessageRow>`
    select ${answered} from support_messages m ${withAuthor} where m.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** An inbound message shows the name that its author gave. */
const answered = sql`m.id, m.thread_id, m.direction, m.body, m.email_status, m.email_error, m.may_have_arrived, m.created_at,
  json_build_object('id', m.author_id, 'nom', case m.direction when 'inbound' then t.nom else u.nom end) as author`
const withAuthor = sql`
  join support_threads t on t.id = m.thread_id left join users u on u.id = m.author_id`
