import { type Insertable, type RawBuilder, sql } from 'kysely'
import { columnList, columnsOf } from '../../platform/database/columns.ts'
import { among, equals, flag } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { beginsWord, namedRows } from '../../platform/database/search.ts'
import { byId } from '../../platform/database/sort-order.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { imageOfRow, privateAddress } from '../media/images.ts'
import type { Image } from '../media/schema.ts'
import { Acteur, type ActeursQuery, type Member } from './schema.ts'

const columns = columnsOf(Acteur.properties)
export type ActeurRow = Acteur

/** `search_text` is a space followed by the folded name. */
export const acteursList: List<ActeursQuery, ActeurRow> = {
  name: 'acteurs',
  from: sql`acteurs`,
  as: 'acteurs',
  where: sql`merged_into is null`,
  filters: {
    ids: among('id'),
    q: beginsWord,
    commune_id: equals('commune_id'),
    type: among('type'),
    valide: flag('valide'),
    active: flag('active'),
    can_publish: flag('can_publish'),
    badge: equals('badge'),
    deleted: (deleted) =>
      deleted !== 'true' && (deleted === 'only' ? sql`deleted_at is not null` : sql`deleted_at is null`),
  },
  sorts: {
    created_at: [{ by: sql`created_at`, type: 'time' }, byId],
    nom: [{ by: sql`search_text`, type: 'text' }, byId],
    type: [{ by: sql`type`, type: 'text' }, byId],
  },
  defaults: { sort: 'created_at_desc', deleted: 'false' },
  columns: sql<ActeurRow>`${columnList(Acteur.properties)}`,
}

export async function getActeur(db: Database, id: string): Promise<ActeurRow> {
  const row = await db
    .selectFrom('acteurs')
    .select(columns)
    .$castTo<ActeurRow>()
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? raise(notFound())
}

/** Lists the members of an acteur in the order they joined. */
export async function listMembers(db: Database, acteurId: string): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select u.id as user_id, json_build_object('id', u.id, 'nom', u.nom) as "user", u.nom, u.email, u.email_verified, m.role, m.permissions
    from actor_users m join users u on u.id = m.user_id
    where m.acteur_id = ${acteurId} order by m.created_at, u.id`.execute(db)
  return rows
}

/** Locks an acteur; 404 if it was merged meanwhile. A repeated request then reaches the target. */
export async function getActeurForUpdate(db: Database, id: string): Promise<ActeurRow> {
  return (await findActeurForUpdate(db, id)) ?? raise(notFound())
}

/** Locks an acteur; null if it was merged. */
export async function findActeurForUpdate(db: Database, id: string): Promise<ActeurRow | null> {
  const row = await db
    .selectFrom('acteurs')
    .select(columns)
    .$castTo<ActeurRow>()
    .where('id', '=', id)
    .where('merged_into', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Locks the row including its key: waits for transactions that are about to reference it, and blocks new ones
 * until the transaction ends.
 */
export async function lockWithKeys(db: Database, id: string): Promise<void> {
  await db.selectFrom('acteurs').select('id').where('id', '=', id).forUpdate().execute()
}

/** Inserts an acteur; undefined if the slug exists, also through a concurrent insert. */
export async function insertActeur(
  db: Database,
  values: Insertable<tables.Acteurs>,
): Promise<ActeurRow | undefined> {
  return db
    .insertInto('acteurs')
    .values(values)
    .onConflict((conflict) => conflict.constraint('acteurs_slug_key').doNothing())
    .returning(columns)
    .$castTo<ActeurRow>()
    .executeTakeFirst()
}

export async function updateActeur(db: Database, id: string, values: Partial<ActeurRow>): Promise<ActeurRow> {
  return db
    .updateTable('acteurs')
    .set(values)
    .where('id', '=', id)
    .returning(columns)
    .$castTo<ActeurRow>()
    .executeTakeFirstOrThrow()
}

/** True if a commune names the acteur as its mairie, or a group as the one that publishes for its members. */
export async function isNamedBySome(db: Database, id: string): Promise<boolean> {
  const { rows } = await sql`
    (select from communes where mairie_actor_id = ${id} limit 1)
    union all (select from groups where acteur_id = ${id} limit 1)`.execute(db)
  return rows.length > 0
}

/** A page has room for so many. */
const maxGroups = 50

/** Lists the groups of communes that name an acteur, by name. */
export async function listGroups(
  db: Database,
  id: string,
): Promise<{ id: string; slug: string; nom: string }[]> {
  return db
    .selectFrom('groups')
    .select(['id', 'slug', 'nom'])
    .where('acteur_id', '=', id)
    .orderBy('sort_name')
    .orderBy('id')
    .limit(maxGroups)
    .execute()
}

/** Reads these pictures, by id. */
export async function mapLogos(db: Database, ids: string[]): Promise<Map<string, Image>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; logo: Image }>`
    select m.id, ${imageOfRow(privateAddress)} as logo from media m where m.id = any(${ids}::uuid[])`.execute(
    db,
  )
  return new Map(rows.map(({ id, logo }) => [id, logo]))
}

/** Reads the names of these communes, by id. */
export async function mapCommunes(
  db: Database,
  ids: string[],
): Promise<Map<string, { id: string; slug: string; nom: string }>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; slug: string; nom: string }>`
    select id, slug, nom from communes where id = any(${[...new Set(ids)]}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Acteurs that are neither deleted nor merged. */
export const isOnItsOwn = sql<boolean>`deleted_at is null and merged_into is null`

/** Selects the ids of acteurs whose name begins with the query, sorted by name. */
export const acteursNamed = (q: string, limit: number): RawBuilder<unknown> =>
  namedRows({ table: 'acteurs', live: isOnItsOwn, q, limit })
