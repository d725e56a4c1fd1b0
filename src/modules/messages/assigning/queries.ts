import { sql } from 'kysely'
import { opens, roles } from '../../../platform/access/areas.ts'
import type { Database } from '../../../platform/database/connect.ts'

export type Colleague = { id: string; nom: string | null }

const opening = roles.filter((role) => opens([role], 'messages'))

const handles = sql`u.actif and u.erased_at is null and u.id in (
  select user_id from user_roles where role = any(${sql.val(opening)}::text[]))`

/** Lists the colleagues whose roles open the inbox, by name; at most 200. */
export async function listColleagues(db: Database): Promise<Colleague[]> {
  const { rows } = await sql<Colleague>`
    select u.id, u.nom from users u where ${handles} order by lower(u.nom), u.id limit 200`.execute(db)
  return rows
}

/** Returns whether this user exists, is enabled, and has a role that opens the inbox. */
export async function canHandle(db: Database, userId: string): Promise<boolean> {
  const { rows } = await sql`select from users u where u.id = ${userId} and ${handles}`.execute(db)
  return rows.length > 0
}
