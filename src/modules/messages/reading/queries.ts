import { type RawBuilder, sql } from 'kysely'
import { allOf, among, anyOf, flag as isFlagged } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { beginsWords } from '../../../platform/database/search.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { threadColumns } from '../queries.ts'
import type { Message, Thread } from '../schema.ts'
import type { ThreadsQuery } from './schema.ts'

export async function listThreads(
  db: Database,
  query: ThreadsQuery,
  { limit, offset }: Paging,
): Promise<Thread[]> {
  const { rows } = await sql<Thread>`
    select ${threadColumns} from support_threads where ${matching(query)}
    order by ${orders[query.sort ?? 'last_message_at_desc']} limit ${limit} offset ${offset}`.execute(db)
  return rows
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

const orders: Record<NonNullable<ThreadsQuery['sort']>, RawBuilder<unknown>> = {
  last_message_at_desc: sql`last_message_at desc, id desc`,
  last_message_at_asc: sql`last_message_at, id`,
  created_at_desc: sql`created_at desc, id desc`,
  created_at_asc: sql`created_at, id`,
}

/** The first page holds the newest messages; within a page the oldest comes first. */
export async function listMessages(
  db: Database,
  threadId: string,
  { limit, offset }: Paging,
): Promise<Message[]> {
  const { rows } = await sql<Message>`
    select ${answered} from (
      select * from support_messages where thread_id = ${threadId}
      order by created_at desc, id desc limit ${limit} offset ${offset}) m
    ${withAuthor} order by m.created_at, m.id`.execute(db)
  return rows
}

export async function getMessage(db: Database, id: string): Promise<Message> {
  const { rows } = await sql<Message>`
    select ${answered} from support_messages m ${withAuthor} where m.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Inbound messages show the name their author gave. */
const answered = sql`m.id, m.thread_id, m.direction, m.body, m.email_status, m.email_error, m.created_at,
  json_build_object('id', m.author_id, 'nom', case m.direction when 'inbound' then t.nom else u.nom end) as author`
const withAuthor = sql`
  join support_threads t on t.id = m.thread_id left join users u on u.id = m.author_id`
