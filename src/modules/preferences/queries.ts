import { sql } from 'kysely'
import type { User } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { Preferences, View, ViewCreate } from './schema.ts'

export async function findPreferences(db: Database, userId: string): Promise<Preferences> {
  const row = await db
    .selectFrom('user_preferences')
    .select('preferences')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return (row?.preferences ?? {}) as Preferences
}

export async function putPreferences(tx: Database, userId: string, preferences: Preferences): Promise<void> {
  await sql`
    insert into user_preferences (user_id, preferences) values (${userId}, ${JSON.stringify(preferences)})
    on conflict (user_id) do update set preferences = excluded.preferences, updated_at = now()`.execute(tx)
}

/** Limit on a person's own views, so that the list needs no pagination. */
export const maxViews = 200

/** Lists the user's own views, then those shared with the user's roles. */
export async function listViews(
  db: Database,
  { id, roles }: User,
  list: string | undefined,
): Promise<View[]> {
  const ofList = list === undefined ? sql`true` : sql`list = ${list}`
  const { rows } = await sql<View>`
    select id, list, name, query, role, user_id = ${id} as mine, created_at from saved_views
    where (user_id = ${id} or role = any(${roles}::text[])) and ${ofList}
    order by (user_id = ${id}) desc, lower(name), id limit 1000`.execute(db)
  return rows
}

/** Inserts a view; null if the person has reached the limit. */
export async function insertView(
  tx: Database,
  values: Omit<ViewCreate, 'role'> & { id: string; user_id: string; role: View['role'] },
): Promise<View | null> {
  const { id, user_id, list, name, query, role } = values
  const { rows } = await sql<View>`
    insert into saved_views (id, user_id, list, name, query, role)
    select ${id}, ${user_id}, ${list}, ${name}, ${query}, ${role}
    where (select count(*) from saved_views where user_id = ${user_id}) < ${maxViews}
    returning id, list, name, query, role, true as mine, created_at`.execute(tx)
  return rows[0] ?? null
}

/** Deletes the user's own view and returns it; undefined if there is none. */
export async function deleteView(db: Database, userId: string, id: string): Promise<View | undefined> {
  const { rows } = await sql<View>`
    delete from saved_views where id = ${id} and user_id = ${userId}
    returning id, list, name, query, role, true as mine, created_at`.execute(db)
  return rows[0]
}
