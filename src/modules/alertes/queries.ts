import { type Insertable, type RawBuilder, sql } from 'kysely'
import { userNameOf } from '../../platform/access/users.ts'
import { columnList, columnsOf } from '../../platform/database/columns.ts'
import { among, equals, flag } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import type { SortKey } from '../../platform/database/sort-order.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { List } from '../../platform/http/listing/list.ts'
import {
  type Alerte,
  type AlerteFields,
  type AlertesAdminQuery,
  alerteFields,
  type ListedAlerte,
  type ReadAlerte,
  StoredAlerte,
} from './schema.ts'

export type AlerteRow = StoredAlerte & { created_by: string | null }
/** The commune, or the acteur of a mairie or of a group, that an alert belongs to. */
export type Owner = { commune_id: string } | { acteur_id: string }

const stored = [...columnsOf(StoredAlerte.properties), 'created_by'] as const

const byId: SortKey = { by: sql`al.id`, type: 'id' }
const sorts = { created_at: [{ by: sql`al.created_at`, type: 'time' }, byId] as SortKey[] }

/** The communes that hide an alert. */
const hiddenIn = sql`coalesce((
    select json_agg(json_build_object('id', hiding.id, 'slug', hiding.slug, 'nom', hiding.nom)
      order by hiding.sort_name, hiding.id)
    from alerte_hidings h join communes hiding on hiding.id = h.commune_id where h.alerte_id = al.id), '[]')`

/** Alerts of a commune or of an acteur. */
export const alertesOf: List<{ commune_id?: string; acteur_id?: string }, ReadAlerte> = {
  name: 'alertes-of-owner',
  from: sql`alertes al`,
  as: 'al',
  filters: { commune_id: equals('commune_id'), acteur_id: equals('acteur_id') },
  sorts,
  defaults: { sort: 'created_at_desc' },
  columns: sql<ReadAlerte>`${columnList(StoredAlerte.properties, 'al')}, ${hiddenIn} as hidden_in`,
}

const of = (owner: Owner) =>
  'commune_id' in owner ? sql`commune_id = ${owner.commune_id}` : sql`acteur_id = ${owner.acteur_id}`

/** Reads an alert of this owner; 404 if it belongs to another owner. */
export async function getAlerte(db: Database, owner: Owner, id: string): Promise<ReadAlerte> {
  const { rows } = await sql<ReadAlerte>`
    select ${columnList(StoredAlerte.properties, 'al')}, ${hiddenIn} as hidden_in
    from alertes al where id = ${id} and ${of(owner)}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Public alerts in force: the commune's, and those of its mairie and its groups unless the acteur is deleted or inactive. */
export const alertesInForce = (now: Date, communeId: string): List<{ commune_id: string }, Alerte> => ({
  name: 'alertes-in-force',
  from: sql`alertes al`,
  as: 'al',
  where: inForce(now),
  filters: { commune_id: shownTo },
  // The index of the sort contains the alerts of all communes.
  filtersFirst: () => true,
  sorts,
  defaults: { sort: 'created_at_desc' },
  columns: sql<Alerte>`
    ${columnList(alerteFields, 'al')}, al.commune_ids, ${groupIn(communeId)} as "group"`,
})

/** An alert of a group, with those of its members that show it. */
export type GroupAlerte = AlerteFields & { places: string[] }

/** Public alerts in force of a group that at least one of its members shows, or one of those of `communeIds`. */
export const alertesOfGroup = (
  now: Date,
  groupId: string,
  communeIds: readonly string[] | null,
): List<object, GroupAlerte> => ofGroup('alertes-of-group', inForce(now), groupId, communeIds)

/** The same, of alerts that ended since a time. */
export const alertesEndedOfGroup = (
  since: Date,
  now: Date,
  groupId: string,
  communeIds: readonly string[] | null,
): List<object, GroupAlerte> => ofGroup('alertes-ended-of-group', endedSince(since, now), groupId, communeIds)

function ofGroup(
  name: string,
  isListed: RawBuilder<boolean>,
  groupId: string,
  communeIds: readonly string[] | null,
): List<object, GroupAlerte> {
  const places = sql`
    select m.commune_id from alerte_places place join group_communes m on m.commune_id = place.commune_id
    where place.alerte_id = al.id and m.group_id = ${groupId}
      and ${communeIds === null ? sql`true` : sql`m.commune_id = any(${communeIds}::uuid[])`}`
  return {
    name,
    from: sql`alertes al`,
    as: 'al',
    where: sql<boolean>`(
      al.acteur_id = (select g.acteur_id from groups g where g.id = ${groupId}) and ${isListed} and exists (${places}))`,
    filters: {},
    filtersFirst: () => true,
    sorts,
    defaults: { sort: 'created_at_desc' },
    columns: sql<GroupAlerte>`${columnList(alerteFields, 'al')}, array(${places}) as places`,
  }
}

/** The group of a commune in whose name an alert speaks; of several that name one acteur, an intercommunality first. */
const groupIn = (communeId: string) => sql`(
  select json_build_object('id', g.id, 'slug', g.slug, 'nom', g.nom)
  from groups g join group_communes m on m.group_id = g.id
  where g.acteur_id = al.acteur_id and m.commune_id = ${communeId}
  order by g.kind <> 'epci', g.sort_name, g.id limit 1)`

/** Alerts that ended since a time, the latest end first; of the same owners. */
export const alertesEnded = (
  since: Date,
  now: Date,
  communeId: string,
): List<{ commune_id: string }, Alerte> => ({
  ...alertesInForce(now, communeId),
  name: 'alertes-ended',
  where: endedSince(since, now),
})

/** Public alerts in force, and those that ended since a time, of all communes, or of some, after one, with their communes. */
export async function listAllAlertes(
  db: Database,
  { since, now }: { since: Date; now: Date },
  { communeIds, after, limit }: { communeIds: readonly string[] | null; after: string; limit: number },
): Promise<(AlerteFields & { codes_insee: string[] })[]> {
  const isShown = communeIds === null ? sql`true` : sql`c.id = any(${communeIds}::uuid[])`
  const { rows } = await sql<AlerteFields & { codes_insee: string[] }>`
    select ${columnList(alerteFields, 'al')}, shown.codes_insee
    from alertes al cross join lateral (
      select array_agg(distinct c.code_insee order by c.code_insee) as codes_insee
      from alerte_places place join communes c on c.id = place.commune_id
      where place.alerte_id = al.id and ${isShown}
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
    al.commune_id = ${communeId} or al.acteur_id = any(array(
      select a.id from (${speakersFor(communeId)}) speaker join acteurs a on a.id = speaker.acteur_id
      where a.active and a.deleted_at is null)) and ${isFor(communeId)} and not exists (
      select from alerte_hidings h where h.alerte_id = al.id and h.commune_id = ${communeId}))`

/** The acteurs whose alerts may be for a commune: its mairie, and those of its groups. */
const speakersFor = (communeId: string) => sql`
  select c.mairie_actor_id as acteur_id from communes c where c.id = ${communeId}
  union all
  ${speakingGroups(communeId)}`

/** The acteurs of the groups of a commune. */
export const speakingGroups = (communeId: string) => sql`
  select g.acteur_id from group_communes m join groups g on g.id = m.group_id where m.commune_id = ${communeId}`

/** Matches alerts that are for this one of the communes of their acteur. */
export const isFor = (communeId: string) =>
  sql`(al.commune_ids = '{}' or ${communeId}::uuid = any(al.commune_ids))`

/** Uses the same expression for `fin` as the indexes. */
const inForce = (now: Date): RawBuilder<boolean> => sql<boolean>`(
    coalesce(fin, 'infinity') > ${now} and (debut is null or debut <= ${now}))`

const endedSince = (since: Date, now: Date) => sql<boolean>`(fin <= ${now} and fin > ${since})`

/** Alerts of all communes, for administrators. */
export const alertesList = (now: Date): List<AlertesAdminQuery, ListedAlerte> => ({
  name: 'alertes',
  from: sql`alertes al`,
  as: 'al',
  filters: {
    ids: among('al.id'),
    niveau: among('al.niveau'),
    commune_id: (id) => sql`(al.commune_id = ${id}
      or al.acteur_id = any(array(${speakersFor(id)})) and ${isFor(id)})`,
    group_id: (id) => sql`al.acteur_id = (select g.acteur_id from groups g where g.id = ${id})`,
    en_cours: flag(inForce(now)),
  },
  filtersFirst: ({ commune_id, group_id }) => commune_id !== undefined || group_id !== undefined,
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
  ${columnList(StoredAlerte.properties, 'al')}, ${hiddenIn} as hidden_in, ${inForce(now)} as en_cours,
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

/** Inserts an alert that was deleted, by its row, which the version before kept without `commune_ids`. Its version is another than those that were read before. */
export async function insertDeletedAlerte(db: Database, row: object): Promise<AlerteRow> {
  const kept = [...stored, 'email_status', 'email_status_at', 'email_error', 'email_tries']
  const { rows } = await sql<AlerteRow>`
    insert into alertes (${columnList(kept)})
    select ${columnList(kept)} from jsonb_populate_record(null::alertes,
      '{"commune_ids": []}' || ${JSON.stringify(row)}::jsonb || jsonb_build_object('version', (${JSON.stringify(row)}::jsonb->>'version')::int + 1))
    returning ${columnList(stored)}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Locks the acteur, and returns its communes: of a mairie, or the members of its groups. */
export async function listCommunesOfActeur(tx: Database, acteurId: string): Promise<string[]> {
  // A change of the members waits, or has been waited for.
  await sql`select from acteurs where id = ${acteurId} for no key update`.execute(tx)
  const { rows } = await sql<{ ids: string[] | null }>`select communes_of_acteur(${acteurId}) as ids`.execute(
    tx,
  )
  return rows[0]?.ids ?? []
}

/** A commune whose mairie hides an alert of a group there. */
export type Hiding = { commune_id: string; hidden_at: Date | string }

/** Lists where an alert is hidden. */
export async function listHidings(db: Database, alerteId: string): Promise<Hiding[]> {
  const { rows } = await sql<Hiding>`
    select commune_id, hidden_at from alerte_hidings where alerte_id = ${alerteId} order by commune_id`.execute(
    db,
  )
  return rows
}

/** Hides an alert where it was hidden when it was deleted, before it is restored. */
export async function insertDeletedHidings(
  tx: Database,
  alerteId: string,
  hidings: readonly Hiding[],
): Promise<void> {
  if (hidings.length === 0) return
  await sql`set constraints alerte_hidings_alerte deferred`.execute(tx)
  await sql`
    insert into alerte_hidings (alerte_id, commune_id, hidden_at)
    select ${alerteId}, c.id, hiding.hidden_at
    from jsonb_to_recordset(${JSON.stringify(hidings)}::jsonb) as hiding (commune_id uuid, hidden_at timestamptz)
    join communes c on c.id = hiding.commune_id`.execute(tx)
}
