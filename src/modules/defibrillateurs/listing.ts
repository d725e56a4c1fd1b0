import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { prepared } from '../../platform/database/pools/prepared.ts'
import { beginsWord, beginsWordPrepared } from '../../platform/database/search.ts'
import { maxCountedOfList, type Paging } from '../../platform/http/listing/paging.ts'
import { isFoundBy, isOfCode, isOfCommune, storedColumns } from './queries.ts'
import type { StoredDefibrillateur } from './schema.ts'

/** Upper bound of a nearest-first list. */
const nearestListed = 1_000

type Place = { lat: number; lon: number; rayon: number }
export type CatalogueFilters = { q?: string; code_insee?: string; place: Place | null }
/** Opening hours with which a device of this département is closed now. */
export type ClosedPlaces = { departement: string; disponibilite: string }[]
type CatalogueRow = StoredDefibrillateur & { distance_m?: number }

/** Lists devices: around a place the nearest first, otherwise by name. */
export const listAsked = (db: Database, asked: CatalogueFilters, closed: ClosedPlaces, paging: Paging) =>
  asked.place === null
    ? listByName(db, asked, closed, paging)
    : listNearest(db, asked, asked.place, closed, paging)

/** Lists the nearest devices first. */
export function listNearest(
  db: Database,
  asked: CatalogueFilters,
  place: Place,
  closed: ClosedPlaces,
  paging: Paging,
) {
  return listPage(db, paging, {
    found: sql`materialized (select id, chord as rank from ${nearest(asked, place)} where ${isNotAmong(closed)})`,
    more: sql`, round(2 * ${earthRadius} * asin(least(1, rank / (2 * ${earthRadius}))))::int as distance_m`,
    hasOneWay: asked.q === undefined && closed.length === 0,
  })
}

/** Lists devices by name. A page of all France does not read every device. */
export function listByName(db: Database, asked: CatalogueFilters, closed: ClosedPlaces, paging: Paging) {
  const isNarrow = asked.q !== undefined || asked.code_insee !== undefined
  // Words alone always go by the word index; with a commune, its devices may be fewer.
  const hasOneWay = (asked.q === undefined || asked.code_insee === undefined) && closed.length === 0
  const filter = hasOneWay ? chosen(asked, beginsWordPrepared) : chosen(asked)
  return listPage(db, paging, {
    found: sql`${sql.raw(isNarrow ? '' : 'not ')}materialized (
      select id, sort_name as rank from defibrillateurs where ${filter} and ${isNotAmong(closed)})`,
    more: sql``,
    hasOneWay,
  })
}

type Parts = { found: RawBuilder<unknown>; more: RawBuilder<unknown>; hasOneWay: boolean }

/**
 * Returns a page and the total, even for an empty page. Prepares the statement if one plan suits all values;
 * the literal limit then bounds the planner's estimate of the rows, since it does not know the values.
 */
async function listPage(
  db: Database,
  { limit, offset }: Paging,
  { found, more, hasOneWay }: Parts,
): Promise<{ rows: CatalogueRow[]; total: number }> {
  const { rows } = await sql<CatalogueRow & { total: number }>`
    with found as ${found},
    picked as materialized (
      select * from (select * from found order by rank, id limit ${limit} offset ${offset}) page${sql.raw(hasOneWay ? ' limit 100' : '')})
    select d.*, counted.total
    from (select count(*) as total from (select from found limit ${sql.lit(maxCountedOfList + 1)}) counted) counted
    left join (select ${storedColumns}, rank${more} from picked join defibrillateurs using (id)) d on true
    order by d.rank, d.id`.execute(hasOneWay ? prepared(db) : db)
  const listed = rows.filter(({ id }) => id !== null)
  return { rows: listed.map(({ total, ...row }) => row), total: rows[0]?.total ?? 0 }
}

/** Lists the few distinct opening hours of matching devices. */
export async function listHours(
  db: Database,
  asked: CatalogueFilters,
): Promise<Pick<StoredDefibrillateur, 'disponibilite' | 'departement'>[]> {
  const { rows } = await sql<{ disponibilite: string; departement: string }>`
    select distinct departement, disponibilite from ${candidates(asked)}
    where disponibilite is not null and departement is not null`.execute(db)
  return rows
}

/** Lists the devices of all communes, or of some, after one. */
export async function listPublic(
  db: Database,
  communeIds: readonly string[] | null,
  after: string,
  limit: number,
): Promise<StoredDefibrillateur[]> {
  const ofCommunes = sql`code_insee = any(array(
    select c.code_insee from communes c where c.id = any(${communeIds ?? []}::uuid[])))`
  const { rows } = await sql<StoredDefibrillateur>`
    select ${storedColumns} from defibrillateurs
    where id > ${after} and visible and ${communeIds === null ? sql`true` : ofCommunes}
    order by id limit ${limit}`.execute(db)
  return rows
}

export async function listPublicOfCommune(db: Database, communeId: string): Promise<StoredDefibrillateur[]> {
  const { rows } = await sql<StoredDefibrillateur>`
    select ${storedColumns} from defibrillateurs where ${isOfCommune(communeId)} and visible
    order by sort_name, id`.execute(db)
  return rows
}

const earthRadius = sql.lit(6_371_008.8)

const candidates = (asked: CatalogueFilters): RawBuilder<unknown> =>
  asked.place
    ? nearest(asked, asked.place)
    : sql`(select departement, disponibilite from defibrillateurs where ${chosen(asked)}) as candidate`

/**
 * Selects devices by a box, which uses the index, then by distance. Both use chords through the ground. The place is a
 * subquery, because a prepared statement would compute it again for each device.
 */
function nearest(asked: CatalogueFilters, { lat, lon, rayon }: Place): RawBuilder<unknown> {
  const here = sql`(select globe_point(${lat}::float8, ${lon}::float8))`
  const reach = sql`(select 2 * ${earthRadius} * sin(${rayon}::float8 / (2 * ${earthRadius})))`
  return sql`(
    select id, departement, disponibilite, position <-> ${here} as chord from defibrillateurs
    where ${chosen(asked)} and position <@ cube_enlarge(${here}, ${reach}, 3) and position <-> ${here} <= ${reach}
    order by position <-> ${here}, id limit ${sql.lit(nearestListed)}
  ) as candidate`
}

const chosen = ({ q, code_insee }: CatalogueFilters, begins = beginsWord) =>
  allOf(
    sql`visible`,
    q !== undefined && isFoundBy(q, begins),
    code_insee !== undefined && isOfCode(code_insee),
  )

function isNotAmong(closed: ClosedPlaces): RawBuilder<boolean> {
  if (closed.length === 0) return sql<boolean>`true`
  const departements = closed.map(({ departement }) => departement)
  const hours = closed.map(({ disponibilite }) => disponibilite)
  return sql<boolean>`(coalesce(departement, ''), coalesce(disponibilite, '')) not in (
    select * from unnest(${departements}::text[], ${hours}::text[]))`
}
