import { sql } from 'kysely'
import type { Role } from '../../platform/access/areas.ts'
import type { Database } from '../../platform/database/connect.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Digest } from './schema.ts'

export async function putDigest(db: Database, userId: string, daily: boolean): Promise<Digest> {
  await sql`
    insert into digests (user_id, daily) values (${userId}, ${daily})
    on conflict (user_id) do update set daily = excluded.daily, updated_at = now()`.execute(db)
  return { daily }
}

/**
 * Marks at most `limit` due digests as handled on this day and returns their users: enabled, with a verified
 * address and a role. Concurrent calls never return the same user.
 */
export async function takeDue(tx: Database, day: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    update digests set handled_on = ${day}::date
    where user_id = any(array(
      select d.user_id from digests d join users u on u.id = d.user_id
      where d.daily and (d.handled_on is null or d.handled_on < ${day}::date) and u.actif and u.email_verified
        and exists (select from user_roles r where r.user_id = u.id)
      order by d.user_id limit ${limit} for no key update of d skip locked))
    returning user_id`.execute(tx)
  return rows.map(({ user_id }) => user_id)
}

/** Inserts a mail for each user who has none of this day. Returns the ids of the new ones. */
export async function insertMails(tx: Database, day: string, userIds: readonly string[]): Promise<string[]> {
  const mails = userIds.map((user_id) => ({ id: uuidv7(), user_id }))
  const { rows } = await sql<{ id: string }>`
    insert into digest_mails (id, user_id, day)
    select id, user_id, ${day}::date from jsonb_to_recordset(${JSON.stringify(mails)}::jsonb) as m (id uuid, user_id uuid)
    on conflict on constraint digest_mails_once do nothing returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

export type DigestRow = { id: string; day: string; address: string; langue: 'fr' | 'en'; roles: Role[] }

/** Finds a mail with its recipient's current data; null if the recipient should no longer get it. */
export async function findMail(db: Database, id: string): Promise<DigestRow | null> {
  const { rows } = await sql<DigestRow>`
    select m.id, to_char(m.day, 'YYYY-MM-DD') as day, u.email as address, u.langue,
      array(select role from user_roles where user_id = u.id order by role) as roles
    from digest_mails m join digests d on d.user_id = m.user_id join users u on u.id = m.user_id
    where m.id = ${id} and d.daily and u.actif and u.email_verified`.execute(db)
  return rows[0] ?? null
}

/** Days after which a mail and its recipient are deleted. */
const keptDays = 30

export async function deleteOldMails(db: Database, day: string): Promise<void> {
  await sql`delete from digest_mails where day < ${day}::date - ${sql.lit(keptDays)}`.execute(db)
}
