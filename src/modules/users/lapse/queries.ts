import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { unprepared } from '../../../platform/database/pools/prepared.ts'
import type { Membership } from '../schema.ts'

/** Age at which permissions lapse for a user who has never signed in. */
const isTooOld = sql<boolean>`created_at < now() - interval '180 days'`

/** Locks unbound users with old permissions, by id, until the transaction ends; skips locked ones. */
export async function lockUnbound(db: Database, afterId: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users
    where issuer is null and id > ${afterId}
      and exists (select from actor_users where user_id = users.id and ${isTooOld})
    order by id limit ${limit} for no key update skip locked`.execute(unprepared(db))
  return rows.map(({ id }) => id)
}

export type Right = Membership & { user_id: string; is_too_old: boolean }

export async function listRights(db: Database, userIds: string[]): Promise<Right[]> {
  const { rows } = await sql<Right>`
    select user_id, acteur_id, role, permissions, ${isTooOld} as is_too_old from actor_users
    where user_id = any(${userIds}::uuid[]) order by user_id, acteur_id`.execute(db)
  return rows
}

export async function deleteOldRights(db: Database, userIds: string[]): Promise<void> {
  await sql`delete from actor_users where user_id = any(${userIds}::uuid[]) and ${isTooOld}`.execute(db)
}

/** Increments the user's version, because memberships are part of the user. */
export async function updateVersions(db: Database, userIds: string[]): Promise<void> {
  await sql`update users set version = version + 1 where id = any(${userIds}::uuid[])`.execute(db)
}
