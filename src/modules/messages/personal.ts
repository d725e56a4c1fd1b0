import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { afterId, inPages, type Person, type Personal } from '../../platform/personal.ts'

type OwnThread = { id: string }

/** The threads that they began, with all that was said there. What they answered others stays among their acts. */
export const threadsOfPerson: Personal = {
  name: 'threads',
  read: (db, person) =>
    inPages<OwnThread>(async (last, limit) => {
      const { rows } = await sql<OwnThread>`
        select id, number, subject, nom, email, commune_id, status, created_at, (
          select json_agg(json_build_object('direction', direction, 'body', body, 'created_at', m.created_at)
            order by m.created_at, m.id)
          from support_messages m where m.thread_id = support_threads.id) as messages
        from support_threads where ${isTheirs(person)} and id > ${afterId(last)}
        order by id limit ${limit}`.execute(db)
      return rows
    }),
  erase: eraseThreads,
}

/** Closed, without an address: nobody can answer any more. A mail that waits is not sent. */
async function eraseThreads(tx: Database, person: Person): Promise<string[]> {
  const gone = await sql<{ id: string }>`
    update support_threads
    set subject = '(erased)', nom = null, email = null, said = '', unread = false, status = 'closed',
      closed_at = coalesce(closed_at, now())
    where ${isTheirs(person)} and email is not null
    returning id`.execute(tx)
  const threads = gone.rows.map(({ id }) => id)
  // A statement of its own: it sees what was answered while the first one waited for the thread.
  const emptied = await sql<{ id: string }>`
    update support_messages
    set body = '(erased)', email_error = null,
      email_status = case email_status when 'queued' then 'failed' else email_status end
    where thread_id = any(${threads}::uuid[])
    returning id`.execute(tx)
  return [...threads, ...emptied.rows.map(({ id }) => id)]
}

const isTheirs = ({ userIds, emails }: Person) => sql<boolean>`
  (user_id = any(${userIds}::uuid[]) or lower(email collate "C") = any(${emails}::text[]))`
