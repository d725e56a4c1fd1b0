import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'

/** Data for the mail of a reply. */
export type ReplyRow = {
  message_id: string
  body: string
  email: string
  number: number
  /** Earlier mails and messages of the thread, oldest first: the first one and the last 19. */
  references: string[]
  langue: 'fr' | 'en'
}

export async function findReply(db: Database, id: string): Promise<ReplyRow | null> {
  const { rows } = await sql<ReplyRow>`
    select m.message_id, m.body, t.email, t.number, coalesce(u.langue, 'fr') as langue, array(
      select message_id from (
        (select message_id, created_at, id from support_messages
          where thread_id = m.thread_id and (created_at, id) < (m.created_at, m.id)
          order by created_at, id limit 1)
        union
        (select message_id, created_at, id from support_messages
          where thread_id = m.thread_id and (created_at, id) < (m.created_at, m.id)
          order by created_at desc, id desc limit 19)) earlier
      order by created_at, id) as references
    from support_messages m join support_threads t on t.id = m.thread_id left join users u on u.id = t.user_id
    where m.id = ${id} and m.direction = 'outbound' and t.email is not null`.execute(db)
  return rows[0] ?? null
}

/** Locks a message and returns its mail state; null if it does not belong to the thread. */
export async function findEmailStatusForUpdate(
  db: Database,
  threadId: string,
  id: string,
): Promise<{ email_status: string | null } | null> {
  const row = await db
    .selectFrom('support_messages')
    .select('email_status')
    .where('id', '=', id)
    .where('thread_id', '=', threadId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

export type HeldReply = {
  body: string
  author_id: string | null
  email_status: string | null
  may_have_arrived: boolean
  reopened_thread: boolean
  thread_closed_at: Date | null
  read_thread: boolean
  created_at: Date
}

/** Locks a reply against its mail job; null if it is not a message of the thread. */
export async function findReplyForUpdate(
  tx: Database,
  threadId: string,
  id: string,
): Promise<HeldReply | null> {
  const { rows } = await sql<HeldReply>`
    select body, author_id, email_status, may_have_arrived, reopened_thread, thread_closed_at, read_thread, created_at
    from support_messages where id = ${id} and thread_id = ${threadId} for update`.execute(tx)
  return rows[0] ?? null
}

/**
 * Notes on the next reply of the thread what an undone reply had changed, so that the undo of the last one restores it;
 * false if there is no later reply.
 */
export async function passOnChanges(
  tx: Database,
  threadId: string,
  id: string,
  { created_at, reopened_thread, thread_closed_at, read_thread }: HeldReply,
): Promise<boolean> {
  const { rows } = await sql`
    update support_messages
    set reopened_thread = reopened_thread or ${reopened_thread}, read_thread = read_thread or ${read_thread},
      thread_closed_at = coalesce(thread_closed_at, ${thread_closed_at})
    where id = (
      select id from support_messages
      where thread_id = ${threadId} and direction = 'outbound' and (created_at, id) > (${created_at}, ${id}::uuid)
      order by created_at, id limit 1)
    returning id`.execute(tx)
  return rows.length > 0
}

/** Returns the id of an account that is in use, else null. */
export async function findActiveUser(tx: Database, id: string | null): Promise<string | null> {
  const user = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('actif', '=', true)
    .executeTakeFirst()
  return user?.id ?? null
}

export async function deleteMessage(tx: Database, id: string): Promise<void> {
  await tx.deleteFrom('support_messages').where('id', '=', id).execute()
}

export async function queueAgain(db: Database, id: string): Promise<void> {
  await db
    .updateTable('support_messages')
    .set({ email_status: 'queued', email_status_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}
