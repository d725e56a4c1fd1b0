import { type InsertObject, sql } from 'kysely'
import { foldedEmail, userNameOf } from '../../platform/access/users.ts'
import { columnList, columnsOf, jsonTime } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { maxOthers, type StoredThread, storedThread, type Thread } from './schema.ts'

export type ThreadRow = StoredThread & { closed_at: Date | null }

/**
 * Values to write to a thread. `closedAt`: when a thread that becomes closed was closed; now by default. `addedMessage`:
 * a new message. `hasRemovedMessage`: a message was deleted from it.
 */
export type ThreadValues = Partial<Pick<ThreadRow, 'status' | 'unread' | 'flag' | 'assignee_id'>> & {
  closedAt?: Date | null
  addedMessage?: { body: string; at: Date }
  hasRemovedMessage?: true
}

const columns = [...columnsOf(storedThread), 'closed_at'] as const

/** The words of a message, for the thread's search vector. */
const wordsOf = (body: string) => sql<string>`strip(to_tsvector('simple', search_key(${body})))`

const excerptLength = 200

/** Maximum number of messages in the search index: a search vector has a size limit, a thread has none. */
const wordyMessages = 10

export async function insertThread(
  db: Database,
  values: Omit<InsertObject<DB, 'support_threads'>, 'said'>,
  body: string,
): Promise<ThreadRow> {
  return db
    .insertInto('support_threads')
    .values({ ...values, said: wordsOf(body) })
    .returning(columns)
    .$castTo<ThreadRow>()
    .executeTakeFirstOrThrow()
}

/** Selects threads `t` as responses show them: with names, the latest words, and other threads of the address. */
export const shownThread = sql<Thread>`
  ${columnList(storedThread, 't')},
  case when t.about_id is not null then json_build_object('kind', t.about_kind, 'id', t.about_id) end as about,
  ${userNameOf(sql`t.user_id`)} as "user",
  ${userNameOf(sql`t.assignee_id`)} as assignee_user,
  coalesce((
    select btrim(regexp_replace(left(m.body, ${sql.lit(excerptLength)}), '\\s+', ' ', 'g'))
    from support_messages m where m.thread_id = t.id
    order by m.created_at desc, m.id desc limit 1), '') as excerpt,
  coalesce((
    select json_agg(json_build_object('id', o.id, 'number', o.number, 'subject', o.subject, 'status', o.status,
      'last_message_at', ${jsonTime(sql`o.last_message_at`)})
      order by o.last_message_at desc, o.id desc)
    from (
      select id, number, subject, status, last_message_at from support_threads
      where ${foldedEmail} = lower(t.email collate "C") and email is not null and id <> t.id
      order by last_message_at desc, id desc limit ${sql.lit(maxOthers)}) o), '[]') as others`

export async function getThread(db: Database, id: string): Promise<Thread> {
  const { rows } = await sql<Thread>`select ${shownThread} from support_threads t where t.id = ${id}`.execute(
    db,
  )
  return rows[0] ?? raise(notFound())
}

/** 404 if there is no such thread. */
export async function requireThread(db: Database, id: string): Promise<void> {
  const { rows } = await sql`select from support_threads where id = ${id}`.execute(db)
  if (rows.length === 0) throw notFound()
}

export async function getThreadForUpdate(db: Database, id: string): Promise<ThreadRow> {
  const row = await db
    .selectFrom('support_threads')
    .select(columns)
    .$castTo<ThreadRow>()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? raise(notFound())
}

export async function updateThread(
  db: Database,
  id: string,
  { closedAt = null, addedMessage, hasRemovedMessage, ...values }: ThreadValues,
): Promise<ThreadRow> {
  const isClosed = values.status === 'closed'
  return db
    .updateTable('support_threads')
    .set({
      ...values,
      ...(values.status && {
        closed_at: isClosed ? sql<Date>`coalesce(closed_at, ${closedAt}::timestamptz, now())` : null,
      }),
      ...(addedMessage && {
        messages_count: sql<number>`messages_count + 1`,
        last_message_at: sql<Date>`greatest(last_message_at, ${addedMessage.at})`,
        said: sql<string>`case when messages_count < ${wordyMessages} then said || ${wordsOf(addedMessage.body)} else said end`,
      }),
      ...(hasRemovedMessage && {
        messages_count: sql<number>`messages_count - 1`,
        last_message_at: sql<Date>`(select max(created_at) from support_messages where thread_id = ${id})`,
        said: sql<string>`(
          select coalesce(array_to_tsvector(array_agg(distinct word.lexeme)), '')
          from (select body from support_messages where thread_id = ${id}
            order by created_at, id limit ${wordyMessages}) first
          cross join lateral unnest(to_tsvector('simple', search_key(first.body))) word)`,
      }),
    })
    .where('id', '=', id)
    .returning(columns)
    .$castTo<ThreadRow>()
    .executeTakeFirstOrThrow()
}

export async function insertMessage(
  db: Database,
  values: InsertObject<DB, 'support_messages'>,
): Promise<{ id: string; created_at: Date }> {
  return db
    .insertInto('support_messages')
    .values(values)
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow()
}
