import { type RawBuilder, sql } from 'kysely'
import { allOf, among, anyOf, flag as isFlagged } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { beginsWords } from '../../../platform/database/search.ts'
import { byId, type SortKey, sortOrders } from '../../../platform/database/sort-order.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { type Placed, readSlice, type Slice } from '../../../platform/http/listing/slice.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { threadColumns } from '../queries.ts'
import type { Message, Thread } from '../schema.ts'
import type { ThreadsQuery } from './schema.ts'

export function listThreads(db: Database, query: ThreadsQuery, paging: Paging): Promise<Slice<Thread>> {
  const order = orders[query.sort ?? 'last_message_at_desc']
  return readSlice<Thread>(paging, order, async ({ after, limit, offset }) => {
    const { rows } = await sql<Thread & Placed>`
      select ${threadColumns}, ${order.values} from support_threads
      where ${allOf(matching(query), after)}
      order by ${order.by} limit ${limit} offset ${offset}`.execute(db)
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

function matching({ ids, status, unread, flag, q }: ThreadsQuery): RawBuilder<boolean> {
  return allOf(
    among('id', ids),
    among('status', status),
    isFlagged('unread', unread),
    flag !== undefined && hasFlag(new Set(flag)),
    q !== undefined && beginsWords(sql`search`, q),
  )
}

function hasFlag(wanted: Set<string>): RawBuilder<boolean> {
  const colours = [...wanted].filter((one) => one !== 'none')
  const conditions = [
    ...(colours.length > 0 ? [sql<boolean>`flag in (${sql.join(colours)})`] : []),
    ...(wanted.has('none') ? [sql<boolean>`flag is null`] : []),
  ]
  return anyOf(...conditions)
}

const byAge: SortKey[] = [{ by: sql`created_at`, type: 'time' }, byId]
const orders = sortOrders('threads', {
  last_message_at: [{ by: sql`last_message_at`, type: 'time' }, byId],
  created_at: byAge,
})

/** Lists the messages of a thread, newest first. */
export function listMessages(db: Database, threadId: string, paging: Paging): Promise<Slice<Message>> {
  return readSlice<Message>(paging, newestFirst, async ({ after, limit, offset }) => {
    const { rows } = await sql<Message & Placed>`
      select ${answered}, m.sort_values from (
        select *, ${newestFirst.values} from support_messages where thread_id = ${threadId} and ${after}
        order by ${newestFirst.by} limit ${limit} offset ${offset}) m
      ${withAuthor} order by m.created_at desc, m.id desc`.execute(db)
    return rows
  })
}

const newestFirst = sortOrders('messages', { created_at: byAge }).created_at_desc

export async function getMessage(db: Database, id: string): Promise<Message> {
  const { rows } = await sql<Message>`
    select ${answered} from support_messages m ${withAuthor} where m.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** An inbound message shows the name that its author gave. */
const answered = sql`m.id, m.thread_id, m.direction, m.body, m.email_status, m.email_error, m.created_at,
  json_build_object('id', m.author_id, 'nom', case m.direction when 'inbound' then t.nom else u.nom end) as author`
const withAuthor = sql`
  join support_threads t on t.id = m.thread_id left join users u on u.id = m.author_id`
