import { type Insertable, type RawBuilder, sql } from 'kysely'
import { columnList, columnsOf } from '../../platform/database/columns.ts'
import { allOf, among } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { type SortKey, sortOrders } from '../../platform/database/sort-order.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { type Placed, readSlice, type Slice } from '../../platform/http/listing/slice.ts'
import type { Paging } from '../../platform/http/paging.ts'
import { Alerte, type AlertesAdminQuery, type ListedAlerte, ManagedAlerte } from './schema.ts'

export type AlerteRow = ManagedAlerte & { created_by: string | null }
/** The commune or the mairie that an alert belongs to. */
export type Owner = { commune_id: string } | { acteur_id: string }

const stored = [...columnsOf(ManagedAlerte.properties), 'created_by'] as const

export async function listAlertes(
  db: Database,
  owner: Owner,
  { limit, offset }: Paging,
): Promise<ManagedAlerte[]> {
  const { rows } = await sql<ManagedAlerte>`
    select ${columnList(ManagedAlerte.properties)} from alertes where ${of(owner)}
    order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countAlertes(db: Database, owner: Owner): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from alertes where ${of(owner)}`.execute(db)
  return rows[0]?.total ?? 0
}

const of = (owner: Owner) =>
  'commune_id' in owner ? sql`commune_id = ${owner.commune_id}` : sql`acteur_id = ${owner.acteur_id}`

/** Reads an alert of this owner; 404 if it belongs to another owner. */
export async function getAlerte(db: Database, owner: Owner, id: string): Promise<ManagedAlerte> {
  const { rows } = await sql<ManagedAlerte>`
    select ${columnList(ManagedAlerte.properties)} from alertes where id = ${id} and ${of(owner)}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** Lists public alerts in force: the commune's, and the mairie's unless the mairie is deleted or inactive. */
export async function listAlertesInForce(
  db: Database,
  communeId: string,
  now: Date,
  { limit, offset }: Paging,
): Promise<Alerte[]> {
  const { rows } = await sql<Alerte>`
    select ${columnList(Alerte.properties)} from (
      select * from alertes where ${shownTo(communeId)} and ${inForce(now)} ${filterFirst}) shown
    order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countAlertesInForce(db: Database, communeId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from alertes where ${shownTo(communeId)} and ${inForce(now)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** Prevents PostgreSQL from scanning the sort index, which contains the alerts of all communes. */
const filterFirst = sql`offset 0`

const shownTo = (communeId: string) => sql`(
    commune_id = ${communeId} or acteur_id = (
      select a.id from communes c join acteurs a on a.id = c.mairie_actor_id
      where c.id = ${communeId} and a.active and a.deleted_at is null))`

/** Uses the same expression for `fin` as the indexes. */
const inForce = (now: Date): RawBuilder<boolean> => sql<boolean>`(
    coalesce(fin, 'infinity') > ${now} and (debut is null or debut <= ${now}))`

/** Lists alerts of all communes for administrators. */
export function listAllAlertes(
  db: Database,
  query: AlertesAdminQuery,
  now: Date,
  paging: Paging,
): Promise<Slice<ListedAlerte>> {
  const order = orders[query.sort ?? 'created_at_desc']
  return readSlice<ListedAlerte>(paging, order, async ({ after, limit, offset }) => {
    const { rows } = await sql<ListedAlerte & Placed>`
      select ${listedColumns(now)}, ${order.values} from (
        select * from alertes al where ${matching(query, now)} ${query.commune_id === undefined ? sql`` : filterFirst}) al
      where ${after}
      order by ${order.by} limit ${limit} offset ${offset}`.execute(db)
    return rows
  })
}

const byId: SortKey = { by: sql`al.id`, type: 'id' }
const orders = sortOrders('alertes', { created_at: [{ by: sql`al.created_at`, type: 'time' }, byId] })

export async function countAllAlertes(db: Database, query: AlertesAdminQuery, now: Date): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from alertes al where ${matching(query, now)}`.execute(db)
  return rows[0]?.total ?? 0
}

export async function getListedAlerte(db: Database, id: string, now: Date): Promise<ListedAlerte> {
  const { rows } = await sql<ListedAlerte>`
    select ${listedColumns(now)} from alertes al where al.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

const listedColumns = (now: Date) => sql`
  ${columnList(ManagedAlerte.properties, 'al')}, ${inForce(now)} as en_cours,
  (select json_build_object('id', c.id, 'nom', c.nom) from communes c where c.id = al.commune_id) as commune,
  (select json_build_object('id', a.id, 'nom', a.nom) from acteurs a where a.id = al.acteur_id) as acteur`

function matching({ ids, commune_id, niveau, en_cours }: AlertesAdminQuery, now: Date) {
  const isAsked = new Set(en_cours).size === 1
  return allOf(
    among('al.id', ids),
    among('al.niveau', niveau),
    commune_id !== undefined &&
      sql`(al.commune_id = ${commune_id}
        or al.acteur_id = (select c.mairie_actor_id from communes c where c.id = ${commune_id}))`,
    isAsked && en_cours?.[0] === true && inForce(now),
    isAsked && en_cours?.[0] === false && sql`not ${inForce(now)}`,
  )
}

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

export async function deleteAlerte(db: Database, id: string): Promise<void> {
  await db.deleteFrom('alertes').where('id', '=', id).execute()
}
