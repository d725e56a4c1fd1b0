import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { publicationTables, publicColumns } from '../columns.ts'
import { countShown, everywhere, isCounted, isDue, type Listing, listedIn } from '../listings.ts'
import type { Publication } from '../schema.ts'
import { matches } from '../search.ts'
import { visible } from '../visibility.ts'
import type { PublicQuery } from './schema.ts'

export async function listPublicationTypes(db: Database) {
  return db.selectFrom('publication_types').select(['id', 'slug', 'libelle']).orderBy('position').execute()
}

/** A publication that anybody may see. */
export async function findPublication(db: Database, id: string): Promise<Publication | undefined> {
  const { rows } = await sql<Publication>`
    select ${publicColumns} from ${publicationTables} where p.id = ${id} and ${visible}`.execute(db)
  return rows[0]
}

/** In how many ms the next publication is due, or is featured no longer; from so long ago on. */
export async function findNextChange(db: Database, lookbackMs: number): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    with asked as (select clock_timestamp() as at, clock_timestamp() - ${lookbackMs} * interval '1 ms' as since)
    select (extract(epoch from least(
      (select min(publie_le) from publications where publie_le > since),
      (select min(featured_until) from publications where en_avant and featured_until > since)) - at) * 1000)::float8 as ms
    from asked`.execute(db)
  return rows[0]?.ms ?? null
}

export type ListOf = {
  /** Which come before the others; both kinds go newest first. */
  comesFirst: RawBuilder<boolean>
  /** Whether the public knows what the list is of. */
  isKnown?: RawBuilder<boolean>
}
type PublicList = ListOf & {
  filters: Omit<PublicQuery, 'page' | 'per_page'>
  /** The communes that the application is restricted to; null: no restriction. */
  communeIds: string[] | null
}
type Shown = { isKnown: boolean; total: number; rows: Publication[] }

export const communeExists = (id: string) => sql<boolean>`exists (select from communes where id = ${id})`
/** Known, active, not deleted. */
export const isActeurShown = (id: string) => sql<boolean>`exists (
  select from acteurs where id = ${id} and active and deleted_at is null)`

/** A page of what anybody may see, and how many there are, in one statement. */
export function listShown(db: Database, list: PublicList, paging: Paging): Promise<Shown> {
  const listing = listingOf(list)
  if (listing === null) return listFound(db, list, paging)
  return list.filters.sort === undefined
    ? listNewest(db, list, listing, paging)
    : listAgenda(db, list, listing, paging)
}

/** The list that stands ready, where nothing else is asked for. */
function listingOf({ filters, communeIds }: PublicList): Listing | null {
  const { sort, commune_id, acteur_id, type_id, q, date_debut_min, date_debut_max, date_fin_min } = filters
  if ([q, date_debut_min, date_debut_max, date_fin_min].some((filter) => filter !== undefined)) return null
  const narrowed = communeIds === null || (commune_id !== undefined && communeIds.includes(commune_id))
  if (!narrowed && (commune_id !== undefined || communeIds.length !== 1)) return null
  const listing = { commune_id: narrowed ? commune_id : communeIds[0], acteur_id, type_id }
  if (!isCounted(listing)) return null
  // One whose first days have an index.
  return sort === undefined || (acteur_id === undefined && type_id === undefined) ? listing : null
}

/**
 * Those that come first are few, and all looked at; the others are read in the order of their index from where the page
 * begins.
 */
function listNewest(db: Database, list: PublicList, listing: Listing, { limit, offset }: Paging) {
  const { comesFirst } = list
  const shown = sql`${listedIn(listing)} and ${isDue}`
  const firstOnes = sql`(select count(*) from first)`
  return readPage(db, list, {
    found: sql`first as materialized (
      select l.publication_id, l.publie_le from publication_listings l where ${shown} and ${comesFirst})`,
    total: countShown(listing),
    page: sql`
      (select publication_id, 1 as part from first
       order by publie_le desc, publication_id desc limit ${limit}::bigint offset ${offset}::bigint)
      union all
      (select l.publication_id, 2 from publication_listings l
       where ${shown} and not ${comesFirst}
       order by l.publie_le desc, l.publication_id desc
       limit greatest(0, ${limit}::bigint - greatest(0, ${firstOnes} - ${offset}::bigint))
       offset greatest(0, ${offset}::bigint - ${firstOnes}))`,
  })
}

/** By first day, in the order of its index. */
function listAgenda(db: Database, list: PublicList, listing: Listing, { limit, offset }: Paging) {
  return readPage(db, list, {
    found: sql`shown as not materialized (
      select * from publication_listings l where ${listedIn(listing)} and ${isDue})`,
    total: countShown(listing),
    page: sql`
      select publication_id, 1 as part from shown
      order by date_debut, publication_id limit ${limit}::bigint offset ${offset}::bigint`,
  })
}

/** What other filters leave is found once, to be counted and sorted. */
function listFound(db: Database, list: PublicList, { limit, offset }: Paging) {
  const { filters, comesFirst } = list
  const order =
    filters.sort === undefined
      ? sql`part, publie_le desc, publication_id desc`
      : sql`date_debut, publication_id`
  return readPage(db, list, {
    found: sql`found as materialized (
      select l.publication_id, l.publie_le, l.date_debut, case when ${comesFirst} then 1 else 2 end as part
      from ${filters.q === undefined ? sql`publication_listings` : searched(filters.q, filters)} l where ${asked(list)})`,
    total: sql`(select count(*) from found)`,
    page: sql`select publication_id, part from found order by ${order} limit ${limit} offset ${offset}`,
    isPlannedEachTime: true,
  })
}

/**
 * The rows that a list of the whole country would have of what holds these words. Unless a commune or an acteur leaves few,
 * the words are looked for first (`offset 0`): PostgreSQL would try all rows by their time for words that many hold.
 */
function searched(q: string, { commune_id, acteur_id }: PublicList['filters']): RawBuilder<unknown> {
  const first = commune_id === undefined && acteur_id === undefined ? sql`offset 0` : sql``
  return sql`(
    select listed.* from publications p left join acteurs a on a.id = p.acteur_id
    cross join lateral listing_of(p, ${everywhere}) listed
    where ${matches(q)} and is_listed(p, a) ${first})`
}

function asked({ filters, communeIds }: PublicList): RawBuilder<boolean> {
  const { commune_id, acteur_id, type_id, q, date_debut_min, date_debut_max, date_fin_min } = filters
  // What words or an acteur leave is less than what a commune does.
  const isNarrow = q !== undefined || acteur_id !== undefined
  return allOf(
    listedIn({ commune_id: isNarrow ? undefined : commune_id, acteur_id, type_id }),
    isDue,
    isNarrow && commune_id !== undefined && attached([commune_id]),
    communeIds !== null && attached(communeIds),
    date_debut_min !== undefined && sql`l.date_debut >= ${date_debut_min}`,
    date_debut_max !== undefined && sql`l.date_debut <= ${date_debut_max}`,
    date_fin_min !== undefined &&
      sql`coalesce(l.date_fin, l.date_debut) >= ${date_fin_min} and l.date_debut is not null`,
  )
}

const attached = (communeIds: string[]) => sql<boolean>`l.publication_id in (
  select publication_id from publication_communes where commune_id = any(${communeIds}::uuid[]))`

type Parts = {
  found: RawBuilder<unknown>
  total: RawBuilder<unknown>
  page: RawBuilder<unknown>
  isPlannedEachTime?: boolean
}

/**
 * The rows of a page, whose ids are picked first, and the total, which comes also with a page that is empty. No page has
 * more than a hundred: said in the text, it lets a list that has but one way be prepared.
 */
async function readPage(
  db: Database,
  { filters, isKnown = sql`true` }: PublicList,
  { found, total, page, isPlannedEachTime = false }: Parts,
): Promise<Shown> {
  const order = filters.sort === undefined ? sql`picked.part, p.publie_le desc` : sql`p.date_debut`
  const { rows } = await sql<Publication & { is_known: boolean; total: number }>`
    with ${found},
    picked as materialized (select * from (${page}) page${sql.raw(isPlannedEachTime ? '' : ' limit 100')})
    select ${publicColumns}, list.is_known, list.total
    from (select ${isKnown} as is_known, ${total} as total) list
    left join (picked join (${publicationTables}) on p.id = picked.publication_id) on true
    order by ${order}, p.id ${sql.raw(filters.sort === undefined ? 'desc' : '')}`.execute(db)
  const [first] = rows
  return {
    isKnown: first?.is_known ?? false,
    total: first?.total ?? 0,
    rows: rows.filter(({ id }) => id !== null).map(({ is_known, total, ...row }) => row as Publication),
  }
}
