import { type InsertObject, sql } from 'kysely'
import { userNameOf } from '../../platform/access/users.ts'
import { columnList, columnsOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { DB } from '../../platform/database/types.generated.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { type StoredThread, storedThread, type Thread } from './schema.ts'

export type ThreadRow = StoredThread & { closed_at: Date | null }

/** Values to write to a thread; `said` is a new message. */
export type ThreadValues = Partial<Pick<ThreadRow, 'status' | 'unread' | 'flag'>> & {
  said?: { body: string; at: Date }
}

const columns = [...columnsOf(storedThread), 'closed_at'] as const

/** The words of a message, for the thread's search vector. */
const wordsOf = (body: string) => sql<string>`strip(to_tsvector('simple', search_key(${body})))`

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

/** The columns of a thread with the name of its user. */
export const threadColumns = sql`${columnList(storedThread)}, ${userNameOf(sql`support_threads.user_id`)} as "user"`

export async function getThread(db: Database, id: string): Promise<Thread> {
  const { rows } = await sql<Thread>`select ${threadColumns} from support_threads where id = ${id}`.execute(
    db,
  )
  return rows[0] ?? raise(notFound())
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
  { said, ...values }: ThreadValues,
): Promise<ThreadRow> {
  const isClosed = values.status === 'closed'
  return db
    .updateTable('support_threads')
    .set({
      ...values,
      ...(values.status && { closed_at: isClosed ? sql<Date>`coalesce(closed_at, now())` : null }),
      ...(said && {
        messages_count: sql<number>`messages_count + 1`,
        last_message_at: sql<Date>`greatest(last_message_at, ${said.at})`,
        said: sql<string>`case when messages_count < ${wordyMessages} then said || ${wordsOf(said.body)} else said end`,
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
