import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { afterId, inPages, isTheirs, isUnsure, type Person, type Personal } from '../../platform/personal.ts'

type OwnThread = { id: string }

/** Threads that the person started, with all messages. Their replies to others belong to their actions. */
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
  unsure: async (db, person) => {
    const { rows } = await sql<{ id: string }>`
      select id from support_threads where ${isUnsure(person)} order by id`.execute(db)
    return rows.map(({ id }) => id)
  },
  erase: eraseThreads,
}

/** Closes the threads and deletes the address, so that nobody can reply. Cancels queued mails. */
async function eraseThreads(tx: Database, person: Person): Promise<string[]> {
  const gone = await sql<{ id: string }>`
    update support_threads
    set subject = '(erased)', nom = null, email = null, said = '', unread = false, status = 'closed',
      closed_at = coalesce(closed_at, now())
    where ${isTheirs(person)} and email is not null
    returning id`.execute(tx)
  const threads = gone.rows.map(({ id }) => id)
  // A separate statement, so that it sees replies committed while the first one waited for the lock.
  const emptied = await sql<{ id: string }>`
    update support_messages
    set body = '(erased)', email_error = null,
      email_status = case email_status when 'queued' then 'failed' else email_status end
    where thread_id = any(${threads}::uuid[])
    returning id`.execute(tx)
  return [...threads, ...emptied.rows.map(({ id }) => id)]
}
