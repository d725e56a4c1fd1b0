import { sql } from 'kysely'
import { ownIssuer } from '../../../platform/access/tokens.ts'
import type { Database } from '../../../platform/database/connect.ts'

/** Administrators whose address the identity provider verified or the service's own command set. */
const isAdministrator = sql<boolean>`
  actif and email is not null and (email_verified or issuer = ${sql.lit(ownIssuer)})
  and exists (select from user_roles where user_id = users.id and role in ('admin', 'platform_admin'))`

/** At most fifty: a service with more has other channels. */
export async function listAdministrators(db: Database): Promise<{ id: string; langue: 'fr' | 'en' }[]> {
  const { rows } = await sql<{ id: string; langue: 'fr' | 'en' }>`
    select id, langue from users where ${isAdministrator} order by id limit 50`.execute(db)
  return rows
}

export async function findAdministratorEmail(db: Database, id: string): Promise<string | null> {
  const { rows } = await sql<{ email: string }>`
    select email from users where id = ${id} and ${isAdministrator}`.execute(db)
  return rows[0]?.email ?? null
}
