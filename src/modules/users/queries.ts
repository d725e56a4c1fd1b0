import { sql } from 'kysely'
import type { Role } from '../../platform/access/areas.ts'
import { isOpen } from '../../platform/access/session-records.ts'
import { ownIssuer } from '../../platform/access/tokens.ts'
import { foldedEmail } from '../../platform/access/users.ts'
import { among, flag } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import { beginsWord } from '../../platform/database/search.ts'
import { byId } from '../../platform/database/sort-order.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { List } from '../../platform/http/listing/list.ts'
import type { Added } from './added.mail.ts'
import { type Membership, type SelectedUser, stored, type User, type UsersQuery } from './schema.ts'

/** A user as it is stored and audited: without the names of acteurs. */
export type UserRow = Omit<User, 'acteur_names' | 'can'> & { tokens_valid_from: Date | null }
export type Identity = { issuer: string; subject: string }

const columns = sql`
  ${sql.join(Object.keys(stored).map((name) => sql.ref(name)))},
  array(select role from user_roles where user_id = users.id order by role) as roles,
  coalesce((
    select json_agg(json_build_object('acteur_id', acteur_id, 'role', role, 'permissions', permissions) order by acteur_id)
    from actor_users where user_id = users.id), '[]') as acteurs`
const answered = sql<SelectedUser>`${columns},
  coalesce((
    select json_agg(json_build_object('id', acteurs.id, 'nom', nom) order by acteur_id)
    from actor_users join acteurs on acteurs.id = acteur_id where user_id = users.id), '[]') as acteur_names,
  erased_at is not null as is_erased,
  exists (select from sessions where user_id = users.id and ${isOpen}) as has_sessions,
  exists (
    select 1 from totp_factors where user_id = users.id
    union all select 1 from passkeys where user_id = users.id
    union all select 1 from recovery_codes where user_id = users.id) as has_factors`

/** Users without a name, an address or a last visit sort last in both directions. */
export const usersList: List<UsersQuery, SelectedUser> = {
  name: 'users',
  from: sql`users`,
  as: 'users',
  picksIds: true,
  filters: {
    ids: among('id'),
    q: beginsWord,
    role: (roles) => sql`id in (select user_id from user_roles where ${among('role')(roles)})`,
    actif: flag('actif'),
    acteur_id: (id) => sql`id in (select user_id from actor_users where acteur_id = ${id})`,
  },
  sorts: {
    created_at: [{ by: sql`created_at`, type: 'time' }, byId],
    email: [{ by: foldedEmail, type: 'text', isNullable: true }, byId],
    nom: [{ by: sql`search_key(nom) collate "C"`, type: 'text', isNullable: true }, byId],
    last_seen_at: [{ by: sql`last_seen_at`, type: 'time', isNullable: true }, byId],
  },
  defaults: { sort: 'created_at_desc' },
  columns: answered,
}

export async function getUser(db: Database, id: string): Promise<SelectedUser> {
  const { rows } = await sql<SelectedUser>`select ${answered} from users where id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Locks in a separate statement: a single one would read the roles and memberships from before the lock. */
export async function getUserForUpdate(db: Database, id: string): Promise<UserRow> {
  await db.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  const { rows } = await sql<UserRow>`
    select ${columns}, tokens_valid_from from users where id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Locks the account that a claim created for this address; null if there is none. */
export async function lockUnbound(tx: Database, address: string) {
  const { rows } = await sql<{ id: string; actif: boolean }>`
    select id, actif from users where issuer is null and ${foldedEmail} = ${address} for update`.execute(tx)
  return rows[0] ?? null
}

/** Makes an account that a claim created, and which is locked, the service's own account of its address. */
export async function takeOver(
  tx: Database,
  id: string,
  { address, nom, validFrom }: { address: string; nom?: string | null | undefined; validFrom: Date | null },
): Promise<void> {
  await sql`
    update users set issuer = ${ownIssuer}, subject = ${address}, nom = coalesce(${nom ?? null}, nom),
      tokens_valid_from = greatest(tokens_valid_from, ${validFrom}::timestamptz)
    where id = ${id}`.execute(tx)
}

export async function isErased(db: Database, id: string): Promise<boolean> {
  const row = await db.selectFrom('users').select('erased_at').where('id', '=', id).executeTakeFirstOrThrow()
  return row.erased_at !== null
}

export async function findUserId(db: Database, { issuer, subject }: Identity): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.id ?? null
}

export async function findTokensValidFrom(db: Database, id: string): Promise<Date | null> {
  const row = await db.selectFrom('users').select('tokens_valid_from').where('id', '=', id).executeTakeFirst()
  return row?.tokens_valid_from ?? null
}

/** Returns which of these acteurs are live, and locks them until the transaction ends. */
export async function listLiveActeurs(db: Database, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('acteurs')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .where('merged_into', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Increments the version even without a column to set, because roles or memberships changed. */
export async function updateUser(
  db: Database,
  id: string,
  { roles, acteurs, ...columns }: Partial<UserRow>,
): Promise<UserRow> {
  if (roles) await replaceRoles(db, id, roles)
  if (acteurs) await replaceMemberships(db, id, acteurs)
  await db
    .updateTable('users')
    .set({ ...columns, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
  return getUserForUpdate(db, id)
}

export async function replaceRoles(db: Database, userId: string, roles: Role[]): Promise<void> {
  await db
    .deleteFrom('user_roles')
    .where('user_id', '=', userId)
    .where('role', '<>', sql<string>`all(${roles}::text[])`)
    .execute()
  await addRoles(db, userId, roles)
}

/** Adds roles to those that the user has. */
export async function addRoles(db: Database, userId: string, roles: Role[]): Promise<void> {
  if (roles.length === 0) return
  await unprepared(db)
    .insertInto('user_roles')
    .values(roles.map((role) => ({ user_id: userId, role })))
    .onConflict((conflict) => conflict.constraint('user_roles_pkey').doNothing())
    .execute()
}

/** Keeps the row and date of memberships that do not change. */
export async function replaceMemberships(
  db: Database,
  userId: string,
  memberships: Membership[],
): Promise<void> {
  const ids = memberships.map(({ acteur_id }) => acteur_id)
  await db
    .deleteFrom('actor_users')
    .where('user_id', '=', userId)
    .where('acteur_id', '<>', sql<string>`all(${ids}::uuid[])`)
    .execute()
  if (memberships.length === 0) return
  await unprepared(db)
    .insertInto('actor_users')
    .values(memberships.map((membership) => ({ ...membership, user_id: userId })))
    .onConflict((conflict) =>
      conflict.constraint('actor_users_pkey').doUpdateSet((eb) => ({
        role: eb.ref('excluded.role'),
        permissions: eb.ref('excluded.permissions'),
      })),
    )
    .execute()
}

/** Returns whom a mail about new memberships is for, with those that they still have; null if there are none. */
export async function findAdded(db: Database, userId: string, acteurIds: string[]): Promise<Added | null> {
  const { rows } = await sql<Added>`
    select u.nom, u.email as address, u.langue, json_agg(json_build_object('id', a.id, 'nom', a.nom) order by a.nom, a.id) as acteurs
    from users u join actor_users m on m.user_id = u.id join acteurs a on a.id = m.acteur_id
    where u.id = ${userId} and u.email_verified and u.actif and a.deleted_at is null and a.id = any(${acteurIds}::uuid[])
    group by u.id`.execute(db)
  return rows[0] ?? null
}
