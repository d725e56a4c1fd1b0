import { type RawBuilder, sql } from 'kysely'
import { columnList } from '../../platform/database/columns.ts'
import { allOf, among } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { beginsWord } from '../../platform/database/search.ts'
import { byId } from '../../platform/database/sort-order.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { CommuneListed } from '../communes/schema.ts'
import { type GroupsAdminQuery, type ListedGroup, type StoredGroup, storedFields } from './schema.ts'

export const countOfMembers = sql`(select count(*) from group_communes m where m.group_id = g.id) as communes_count`

/** Selects what names the acteur of `groups g`, if it meets a condition over `acteurs`. */
export const acteurOf = (condition: RawBuilder<boolean>) => sql`(
  select json_build_object('id', id, 'slug', slug, 'nom', nom)
  from acteurs where id = g.acteur_id and ${condition}) as acteur`
const columns = sql<ListedGroup>`
  ${columnList(storedFields, 'g')}, ${acteurOf(sql`true`)}, ${countOfMembers}`

/** The conditions of the filters of both lists. */
export const groupConditions = {
  q: beginsWord,
  kind: among('g.kind'),
  commune_id: (id: string) =>
    sql`g.id in (select m.group_id from group_communes m where m.commune_id = ${id})`,
}

/** The groups, for administrators. */
export const managedGroups: List<GroupsAdminQuery, ListedGroup> = {
  name: 'groups',
  from: sql`groups g`,
  as: 'g',
  filters: { ids: among('g.id'), ...groupConditions },
  // A commune belongs to few groups.
  filtersFirst: ({ commune_id }) => commune_id !== undefined,
  sorts: {
    nom: [{ by: sql`g.sort_name`, type: 'text' }, byId],
    created_at: [{ by: sql`g.created_at`, type: 'time' }, byId],
  },
  defaults: { sort: 'nom_asc' },
  columns,
}

export async function getManagedGroup(db: Database, id: string): Promise<ListedGroup> {
  const { rows } = await sql<ListedGroup>`
    select ${columns} from groups g where g.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Lists the members of a group by name, or those of them that are among these communes. */
export async function listMembers(
  db: Database,
  id: string,
  communeIds: readonly string[] | null = null,
): Promise<CommuneListed[]> {
  const isShown = allOf(
    sql`m.group_id = ${id}`,
    communeIds !== null && sql`c.id = any(${communeIds}::uuid[])`,
  )
  const { rows } = await sql<CommuneListed>`
    select ${columnList(CommuneListed.properties, 'c')}
    from group_communes m join communes c on c.id = m.commune_id
    where ${isShown} order by c.sort_name, c.id`.execute(db)
  return rows
}

/** Locks the group until the transaction ends and returns it; 404 if it does not exist. */
export async function getGroupForUpdate(tx: Database, id: string): Promise<StoredGroup> {
  const { rows } = await sql<StoredGroup>`
    select ${columnList(storedFields)} from groups where id = ${id} for update`.execute(tx)
  return rows[0] ?? raise(notFound())
}

export async function listMemberIds(db: Database, id: string): Promise<string[]> {
  const { rows } = await sql<{ commune_id: string }>`
    select commune_id from group_communes where group_id = ${id} order by commune_id`.execute(db)
  return rows.map(({ commune_id }) => commune_id)
}

/** Returns which of these communes exist, with their names, and keeps them from being deleted until the transaction ends. */
export async function lockCommunes(tx: Database, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, nom || ' (' || code_insee || ')' as name from communes
    where id = any(${ids}::uuid[]) order by id for key share`.execute(tx)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Locks the acteurs that a group ceases or begins to name, before the group refers to them: a change of their type waits. */
export async function lockActeurs(tx: Database, ids: (string | null | undefined)[]): Promise<void> {
  const named = ids.filter((id) => typeof id === 'string')
  if (named.length === 0) return
  await sql`select from acteurs where id = any(${named}::uuid[]) order by id for no key update`.execute(tx)
}

/** Inserts a group; undefined if its slug is taken, also by a concurrent insert. */
export async function insertGroup(
  tx: Database,
  values: Pick<StoredGroup, 'id' | 'slug' | 'nom' | 'kind' | 'siren' | 'acteur_id'>,
): Promise<StoredGroup | undefined> {
  const { id, slug, nom, kind, siren, acteur_id } = values
  const { rows } = await sql<StoredGroup>`
    insert into groups (id, slug, nom, kind, siren, acteur_id)
    values (${id}, ${slug}, ${nom}, ${kind}, ${siren}, ${acteur_id})
    on conflict (slug) do nothing returning ${columnList(storedFields)}`.execute(tx)
  return rows[0]
}

/** Updates a group. Increments the version even without fields, because its members changed. */
export async function updateGroup(
  tx: Database,
  id: string,
  values: Partial<StoredGroup>,
): Promise<StoredGroup> {
  return tx
    .updateTable('groups')
    .set({ ...values, version: sql`version + 1` })
    .where('id', '=', id)
    .returning(Object.keys(storedFields) as (keyof StoredGroup)[])
    .$castTo<StoredGroup>()
    .executeTakeFirstOrThrow()
}

/** Makes these communes the members of a group. */
export async function replaceMembers(
  tx: Database,
  { id, commune_ids: before }: { id: string; commune_ids: string[] },
  after: string[],
): Promise<void> {
  const [removed, added] = [without(before, after), without(after, before)]
  if (removed.length > 0)
    await sql`
      delete from group_communes where group_id = ${id} and commune_id = any(${removed}::uuid[])`.execute(tx)
  if (added.length > 0)
    await sql`
      insert into group_communes (group_id, commune_id) select ${id}, unnest(${added}::uuid[])`.execute(tx)
}

/** Returns the ids that are not among the others. */
export function without(ids: string[], others: string[]): string[] {
  const left = new Set(others)
  return ids.filter((id) => !left.has(id))
}

export async function deleteGroup(tx: Database, id: string): Promise<void> {
  await sql`delete from groups where id = ${id}`.execute(tx)
}

/** Returns the id of the acteur that publishes for a group, also while the public does not see it; null if there is none. */
export async function findActeurId(db: Database, id: string): Promise<string | null> {
  const row = await db.selectFrom('groups').select('acteur_id').where('id', '=', id).executeTakeFirst()
  return row?.acteur_id ?? null
}

/** Returns when a group was changed. */
export async function findGroupChange(db: Database, id: string): Promise<Date> {
  const row = await db.selectFrom('groups').select('updated_at').where('id', '=', id).executeTakeFirst()
  return row?.updated_at ?? raise(notFound())
}
