import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Role } from '../../platform/access/areas.ts'
import type { Permission } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/connect.ts'
import { beginsWord } from '../../platform/database/search.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { Paging } from '../../platform/http/paging.ts'
import { uuidv7 } from '../../platform/uuid.ts'
import type { UsersQuery } from './schema.ts'

export type MembershipRow = { acteur_id: string; role: 'owner' | 'editor'; permissions: Permission[] }
export type UserRow = Pick<Selectable<tables.Users>, (typeof columns)[number]> & {
  roles: Role[]
  acteurs: MembershipRow[]
}
export type Identity = { issuer: string; subject: string }

const columns = [
  'id',
  'email',
  'nom',
  'actif',
  'tokens_valid_from',
  'created_at',
  'last_seen_at',
  'version',
] as const
const held = sql<Role[]>`array(select role from user_roles where user_id = users.id order by role)`
const memberships = sql<MembershipRow[]>`coalesce((
  select json_agg(json_build_object('acteur_id', acteur_id, 'role', role, 'permissions', permissions) order by acteur_id)
  from actor_users where user_id = users.id), '[]')`

/** Roles and memberships are looked up for the rows of the page alone, not for those before it. */
export function listUsers(db: Database, query: UsersQuery, { limit, offset }: Paging): Promise<UserRow[]> {
  const ids = matching(db, query).select('id').orderBy('id', 'desc').limit(limit).offset(offset)
  return db
    .selectFrom('users')
    .select([...columns, held.as('roles'), memberships.as('acteurs')])
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute()
}

export async function countUsers(db: Database, query: UsersQuery): Promise<number> {
  const { total } = await matching(db, query)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

function matching(db: Database, { q, role, actif }: UsersQuery) {
  let query = db.selectFrom('users')
  if (q !== undefined) query = query.where(beginsWord(q))
  if (role !== undefined)
    query = query.where('id', 'in', (eb) =>
      eb.selectFrom('user_roles').select('user_id').where('user_roles.role', '=', role),
    )
  if (actif !== undefined) query = query.where('actif', '=', actif)
  return query
}

export async function getUser(db: Database, id: string): Promise<UserRow> {
  const row = await db
    .selectFrom('users')
    .select([...columns, held.as('roles'), memberships.as('acteurs')])
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? raise(notFound())
}

/** The lock first: read in one statement with it, roles and memberships would be those from before the wait. */
export async function getUserForUpdate(db: Database, id: string): Promise<UserRow> {
  await db.selectFrom('users').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  return getUser(db, id)
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

/** Null when that identity is there already. */
export async function insertUser(
  db: Database,
  values: Identity & Partial<Insertable<tables.Users>>,
): Promise<string | null> {
  const row = await db
    .insertInto('users')
    .values({ id: uuidv7(), ...values })
    .onConflict((conflict) => conflict.constraint('users_identity_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** With no column left to set it still counts as a change: roles or memberships of the user did. */
export async function updateUser(db: Database, id: string, values: Updateable<tables.Users>): Promise<void> {
  await db
    .updateTable('users')
    .set({ ...values, version: sql`version + 1` })
    .where('id', '=', id)
    .execute()
}

export async function insertRole(db: Database, userId: string, role: Role): Promise<void> {
  await db.insertInto('user_roles').values({ user_id: userId, role }).execute()
}

export async function deleteRole(db: Database, userId: string, role: Role): Promise<void> {
  await db.deleteFrom('user_roles').where('user_id', '=', userId).where('role', '=', role).execute()
}

/** Those of these acteurs that are there and not deleted, held so until the transaction ends. */
export async function listLiveActeurs(db: Database, ids: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('acteurs')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** What stays keeps its row, and with it the day since when. */
export async function replaceMemberships(
  db: Database,
  userId: string,
  memberships: MembershipRow[],
): Promise<void> {
  const ids = memberships.map(({ acteur_id }) => acteur_id)
  await db
    .deleteFrom('actor_users')
    .where('user_id', '=', userId)
    .where('acteur_id', '<>', sql<string>`all(${ids}::uuid[])`)
    .execute()
  if (memberships.length === 0) return
  await db
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
