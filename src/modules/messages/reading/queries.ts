import { type RawBuilder, sql } from 'kysely'
import { among, anyOf, flag as isFlagged } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { beginsWords } from '../../../platform/database/search.ts'
import { byId, type SortKey } from '../../../platform/database/sort-order.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { List } from '../../../platform/http/listing/list.ts'
import { shownThread } from '../queries.ts'
import type { MessageRow, Thread } from '../schema.ts'
import type { ThreadsQuery } from './schema.ts'

const byAge: SortKey[] = [{ by: sql`created_at`, type: 'time' }, byId]

export const threadsList: List<ThreadsQuery, Thread> = {
  name: 'threads',
  from: sql`support_threads t`,
  as: 't',
  filters: {
    ids: among('id'),
    status: among('status'),
    unread: isFlagged('unread'),
    flag: isOneOf('flag'),
    assignee: isOneOf('assignee_id'),
    q: (q) => beginsWords(sql`search`, q),
  },
  sorts: { last_message_at: [{ by: sql`last_message_at`, type: 'time' }, byId], created_at: byAge },
  defaults: { sort: 'last_message_at_desc' },
  columns: shownThread,
}

export async function countUnread(db: Database): Promise<number> {
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

/** An inbound message shows the name that its author gave. */
const shownMessage = sql<MessageRow>`
  m.id, m.thread_id, m.direction, m.body, m.email_status, m.email_error, m.may_have_arrived, m.created_at,
  json_build_object('id', m.author_id, 'nom', case m.direction
    when 'inbound' then (select t.nom from support_threads t where t.id = m.thread_id)
    else (select u.nom from users u where u.id = m.author_id) end) as author`

export const messagesOfThread = (threadId: string): List<object, MessageRow> => ({
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
