import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { findByUser, type Person, type Personal } from '../../platform/personal.ts'

/** The person's digest setting and the days of the last digests; an erasure deletes both. */
export const digestOfPerson: Personal = {
  name: 'digest',
  title: { en: 'Daily mails', fr: 'Courriels quotidiens' },
  erasure: { en: 'Deleted.', fr: 'Supprimés.' },
  kind: null,
  find: findByUser('digests', { id: 'user_id' }),
  read: async function* (db, { userIds }) {
    const { rows } = await sql<object>`
      select d.daily, d.updated_at, array(
        select to_char(m.day, 'YYYY-MM-DD') from digest_mails m where m.user_id = d.user_id order by m.day) as days
      from digests d where d.user_id = any(${userIds}::uuid[])`.execute(db)
    yield* rows
  },
  erase: eraseDigests,
}

/** Deletes digests first: enqueuing a mail locks its digest, so a concurrent mail is deleted too. */
async function eraseDigests(tx: Database, { userIds }: Person): Promise<string[]> {
  const digests = await sql<{ id: string }>`
    delete from digests where user_id = any(${userIds}::uuid[]) returning user_id as id`.execute(tx)
  const mails = await sql<{ id: string }>`
    delete from digest_mails where user_id = any(${userIds}::uuid[]) returning id`.execute(tx)
  return [...digests.rows, ...mails.rows].map(({ id }) => id)
}
