import { type Insertable, type RawBuilder, sql } from 'kysely'
import { userNameOf } from '../../platform/access/users.ts'
import { columnList, columnsOf } from '../../platform/database/columns.ts'
import { among, equals, flag } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { SortKey } from '../../platform/database/sort-order.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { Alerte, type AlertesAdminQuery, type ListedAlerte, StoredAlerte } from './schema.ts'

export type AlerteRow = StoredAlerte & { created_by: string | null }
/** The commune or the mairie that an alert belongs to. */
export type Owner = { commune_id: string } | { acteur_id: string }

const stored = [...columnsOf(StoredAlerte.properties), 'created_by'] as const

const byId: SortKey = { by: sql`al.id`, type: 'id' }
const sorts = { created_at: [{ by: sql`al.created_at`, type: 'time' }, byId] as SortKey[] }

/** Alerts of a commune or of a mairie. */
export const alertesOf: List<{ commune_id?: string; acteur_id?: string }, StoredAlerte> = {
  name: 'alertes-of-owner',
  from: sql`alertes al`,
  as: 'al',
  filters: { commune_id: equals('commune_id'), acteur_id: equals('acteur_id') },
  sorts,
  defaults: { sort: 'created_at_desc' },
  columns: sql<StoredAlerte>`${columnList(StoredAlerte.properties)}`,
}

const of = (owner: Owner) =>
  'commune_id' in owner ? sql`commune_id = ${owner.commune_id}` : sql`acteur_id = ${owner.acteur_id}`

/** Reads an alert of this owner; 404 if it belongs to another owner. */
export async function getAlerte(db: Database, owner: Owner, id: string): Promise<StoredAlerte> {
  const { rows } = await sql<StoredAlerte>`
    select ${columnList(StoredAlerte.properties)} from alertes where id = ${id} and ${of(owner)}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Public alerts in force: the commune's, and the mairie's unless the mairie is deleted or inactive. */
export const alertesInForce = (now: Date): List<{ commune_id: string }, Alerte> => ({
  name: 'alertes-in-force',
  from: sql`alertes al`,
  as: 'al',
  where: inForce(now),
  filters: { commune_id: shownTo },
  // The index of the sort contains the alerts of all communes.
  filtersFirst: () => true,
  sorts,
  defaults: { sort: 'created_at_desc' },
  columns: sql<Alerte>`${columnList(Alerte.properties)}`,
})

/** Alerts that ended since a time, the latest end first; of the same owners. */
export const alertesEnded = (since: Date, now: Date): List<{ commune_id: string }, Alerte> => ({
  ...alertesInForce(now),
  name: 'alertes-ended',
  where: sql<boolean>`(fin <= ${now} and fin > ${since})`,
})

/** Public alerts in force, and those that ended since a time, of all communes, or of some, after one, with their communes. */
export async function listAllAlertes(
  db: Database,
  { since, now }: { since: Date; now: Date },
  { communeIds, after, limit }: { communeIds: readonly string[] | null; after: string; limit: number },
): Promise<(Alerte & { codes_insee: string[] })[]> {
  const isShown = communeIds === null ? sql`true` : sql`c.id = any(${communeIds}::uuid[])`
  const { rows } = await sql<Alerte & { codes_insee: string[] }>`
    select ${columnList(Alerte.properties, 'al')}, shown.codes_insee
    from alertes al cross join lateral (
      select array_agg(c.code_insee order by c.code_insee) as codes_insee from (
        select c.id, c.code_insee from communes c where c.id = al.commune_id
        union all
        select c.id, c.code_insee from communes c join acteurs a on a.id = c.mairie_actor_id
        where a.id = al.acteur_id and a.active and a.deleted_at is null
      ) c where ${isShown}
    ) shown
    where shown.codes_insee is not null and al.id > ${after}
      and coalesce(fin, 'infinity') > ${since} and (debut is null or debut <= ${now})
    order by al.id limit ${limit}`.execute(db)
  return rows
}

/** Returns when each of these alerts was written last. */
export async function findCorrections(db: Database, ids: string[]): Promise<Map<string, Date>> {
  const { rows } = await sql<{ id: string; updated_at: Date }>`
    select id, updated_at from alertes where id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, updated_at }) => [id, updated_at]))
}

/** Returns the ms until the next alert begins or ends, from `lookbackMs` ago on. */
export async function findNextChange(db: Database, lookbackMs: number, now: Date): Promise<number | null> {
  const since = new Date(now.getTime() - lookbackMs)
  const { rows } = await sql<{ at: Date | null }>`
    select least(
      (select min(debut) from alertes where debut > ${since}),
      (select min(fin) from alertes where fin > ${since})) as at`.execute(db)
  const at = rows[0]?.at ?? null
  return at === null ? null : at.getTime() - now.getTime()
}

const shownTo = (communeId: string) => sql`(
    commune_id = ${communeId} or acteur_id = (
      select a.id from communes c join acteurs a on a.id = c.mairie_actor_id
      where c.id = ${communeId} and a.active and a.deleted_at is null))`

/** Uses the same expression for `fin` as the indexes. */
const inForce = (now: Date): RawBuilder<boolean> => sql<boolean>`(
    coalesce(fin, 'infinity') > ${now} and (debut is null or debut <= ${now}))`

/** Alerts of all communes, for administrators. */
export const alertesList = (now: Date): List<AlertesAdminQuery, ListedAlerte> => ({
  name: 'alertes',
  from: sql`alertes al`,
  as: 'al',
  filters: {
    ids: among('al.id'),
    niveau: among('al.niveau'),
    commune_id: (id) => sql`(al.commune_id = ${id}
      or al.acteur_id = (select c.mairie_actor_id from communes c where c.id = ${id}))`,
    en_cours: flag(inForce(now)),
  },
  filtersFirst: ({ commune_id }) => commune_id !== undefined,
  sorts,
  defaults: { sort: 'created_at_desc' },
  columns: listedColumns(now),
})

export async function getListedAlerte(db: Database, id: string, now: Date): Promise<ListedAlerte> {
  const { rows } = await sql<ListedAlerte>`
    select ${listedColumns(now)} from alertes al where al.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

const listedColumns = (now: Date) => sql<ListedAlerte>`
  ${columnList(StoredAlerte.properties, 'al')}, ${inForce(now)} as en_cours,
  (select json_build_object('id', c.id, 'nom', c.nom) from communes c where c.id = al.commune_id) as commune,
  (select json_build_object('id', a.id, 'nom', a.nom) from acteurs a where a.id = al.acteur_id) as acteur,
  al.created_by, ${userNameOf(sql`al.created_by`)} as created_by_user`

export async function insertAlerte(db: Database, values: Insertable<tables.Alertes>): Promise<AlerteRow> {
  return db
    .insertInto('alertes')
    .values(values)
    .returning(stored)
    .$castTo<AlerteRow>()
    .executeTakeFirstOrThrow()
}

/** Locks the alert and returns it; 404 if it does not exist. */
export async function getAlerteForUpdate(db: Database, id: string): Promise<AlerteRow> {
  const row = await db
    .selectFrom('alertes')
    .select(stored)
    .where('id', '=', id)
    .forUpdate()
    .$castTo<AlerteRow>()
    .executeTakeFirst()
  return row ?? raise(notFound())
}

export async function updateAlerte(db: Database, id: string, values: Partial<AlerteRow>): Promise<AlerteRow> {
  return db
    .updateTable('alertes')
    .set(values)
    .where('id', '=', id)
    .returning(stored)
    .$castTo<AlerteRow>()
    .executeTakeFirstOrThrow()
}

/** Deletes an alert. Returns its whole row. */
export async function deleteAlerte(db: Database, id: string): Promise<object> {
  const { rows } = await sql<{ row: object }>`
    delete from alertes al where id = ${id} returning to_jsonb(al) as row`.execute(db)
  return (rows[0] ?? raise(notFound())).row
}

/** Inserts an alert that was deleted, by its row. Its version is another than those that were read before. */
export async function insertDeletedAlerte(db: Database, row: object): Promise<AlerteRow> {
  const kept = [...stored, 'email_status', 'email_status_at', 'email_error', 'email_tries']
  const { rows } = await sql<AlerteRow>`
    insert into alertes (${columnList(kept)})
    select ${columnList(kept)} from jsonb_populate_record(null::alertes,
      ${JSON.stringify(row)}::jsonb || jsonb_build_object('version', (${JSON.stringify(row)}::jsonb->>'version')::int + 1))
    returning ${columnList(stored)}`.execute(db)
  return rows[0] ?? raise(notFound())
}
