import { type RawBuilder, sql } from 'kysely'
import { compiledOnce } from '../../../platform/database/compiled-once.ts'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { hasWord } from '../../../platform/formats/text.ts'
import type { AddressList } from '../../../platform/http/listing/addresses.ts'
import {
  maxCounted,
  maxCountedOfList,
  type Paging,
  pagingOf,
  requireReached,
  totalOfList,
  totalOfSearch,
} from '../../../platform/http/listing/paging.ts'
import { publicationTables, publicColumns } from '../columns.ts'
import type { Publication } from '../schema.ts'
import {
  countShown,
  everywhere,
  findListings,
  isDue,
  isInOrder,
  type Listings,
  listedIn,
  type StoredList,
} from '../stored-lists.ts'
import { visible } from '../visibility.ts'
import { asked, listFound, orderOf } from './materialised-list.ts'
import { listOccurrences } from './occurrences.ts'
import { type Listed, type ListPage, type PublicList, partsOf, readPage } from './pages.ts'
import { listWalked } from './walking.ts'

/**
 * Returns a page of matches, which are materialised once, to sort them. Reads none and says so in `instead` if the text
 * has no word as the database tokenises it.
 */
export async function listMatching(
  db: Database,
  list: PublicList,
  q: string,
  paging: Paging,
): Promise<ListPage> {
  const { filters, comesFirst } = list
  const { limit, offset } = paging
  const words = sql`(select words from asked)`
  const page = await readPage(db, list, (listings) => ({
    found: sql`
      asked as materialized (select publication_query(${q}) as words),
      found as materialized (
        select l.publication_id, l.publie_le, l.date_debut, case when ${comesFirst} then 1 else 2 end as part
        from ${withWords(isOfPlace(list) ? sql`publication_query(${q})` : words)} l
        where ${asked(list, listings)})`,
    total: sql`(select count(*) from found)`,
    page: sql`
      select publication_id, part from found
      order by ${orderOf(filters)} limit ${limit}::bigint offset ${offset}::bigint`,
    instead: sql`(select case when words is null then 'no words' end from asked)`,
    isPlannedEachTime: !isNational(list),
    isComputed: list.communeIds === null && filters.commune_id === undefined,
  }))
  return { ...page, ...totalOfSearch(page.total) }
}

/**
 * Reads the matches from the publications themselves: to look each up in the stored list would cost twice as much. Where
 * PostgreSQL knows the query, it decides whether the word index or communes or an acteur select fewer rows. Each acteur is
 * looked up: PostgreSQL expects one match in two hundred publications of any words, and would read all acteurs for a few.
 */
const withWords = (words: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select listed.* from publications p
  left join lateral (select a from acteurs a where a.id = p.acteur_id offset 0) own on true
  cross join lateral listing_of(p, ${everywhere}) listed
  where p.search @@ ${words} and is_listed(p, own.a))`

const isOfPlace = ({ communeIds, filters: { commune_id, acteur_id } }: PublicList) =>
  communeIds !== null || commune_id !== undefined || acteur_id !== undefined

/** True if words are the only filter: one plan suits all values. */
export function isNational({ communeIds, filters }: PublicList): boolean {
  const { commune_id, acteur_id, type_id, date_debut_min, date_debut_max, date_fin_min } = filters
  const others = [commune_id, acteur_id, type_id, date_debut_min, date_debut_max, date_fin_min]
  return communeIds === null && others.every((filter) => filter === undefined)
}

export async function listPublicationTypes(db: Database) {
  return db.selectFrom('publication_types').select(['id', 'slug', 'libelle']).orderBy('position').execute()
}

const selectVisible = (isIt: RawBuilder<unknown>) =>
  sql<Publication>`select ${publicColumns} from ${publicationTables} where ${isIt} and ${visible}`
const publicationById = compiledOnce((id: string) => selectVisible(sql`p.id = ${id}`))
// One that the public does not see does not keep the slug from the one that had it.
const publicationBySlug = compiledOnce(
  (slug: string) => sql<Publication>`${selectVisible(sql`p.id = any(array[
    (select id from publications where slug = ${slug}),
    (select id from publication_former_slugs where slug = ${slug})])`)}
    order by (p.slug = ${slug}) desc limit 1`,
)

/** Returns a visible publication. */
export const findPublication = async (db: Database, id: string): Promise<Publication | undefined> =>
  (await publicationById(db, id))[0]

/** Returns the visible publication with this slug, else the one that had it. */
export const findPublicationBySlug = async (db: Database, slug: string): Promise<Publication | undefined> =>
  (await publicationBySlug(db, slug))[0]

/** Visible publications of all communes, or of these, with their addresses. */
export async function addressesOfPublications(
  db: Database,
  communeIds: readonly string[] | null,
): Promise<AddressList> {
  const listings = await findListings(db)
  const [only, ...others] = communeIds ?? []
  const isAnywhere = only === undefined || others.length > 0
  return {
    table: 'publications',
    from: sql`${listings} l`,
    where: allOf(
      listedIn(isAnywhere ? {} : { commune_id: only }),
      isDue,
      communeIds !== null &&
        isAnywhere &&
        sql`l.publication_id in (
          select publication_id from ${listings} where commune_id = any(${communeIds}::uuid[]))`,
    ),
    at: sql`l.publie_le`,
    id: sql`l.publication_id`,
  }
}

/** A commune, or an acteur: what it publishes everywhere. */
export type NewestOf = { commune_id: string } | { acteur_id: string }

/** The newest visible publications of a commune or an acteur, pinned or not. */
export async function listNewestOf(
  db: Database,
  place: NewestOf,
  limit: number,
): Promise<{ id: string; publie_le: Date }[]> {
  const listings = await findListings(db)
  const { rows } = await sql<{ id: string; publie_le: Date }>`
    select l.publication_id as id, l.publie_le from ${listings} l
    where ${listedIn(place)} and ${isDue}
    order by l.publie_le desc, l.publication_id desc limit ${limit}`.execute(db)
  return rows
}

/** Lists which of these publications are visible and not hidden in a commune, or still those of an acteur, newest first. */
export async function listVisible(
  db: Database,
  place: NewestOf,
  ids: string[],
): Promise<{ id: string; titre: string; slug: string; publie_le: Date }[]> {
  const isShown =
    'acteur_id' in place
      ? sql`p.acteur_id = ${place.acteur_id}`
      : sql`not exists (
          select from publication_hidings h where h.publication_id = p.id and h.commune_id = ${place.commune_id})`
  const { rows } = await sql<{ id: string; titre: string; slug: string; publie_le: Date }>`
    select p.id, p.title as titre, p.slug, p.publie_le from ${publicationTables}
    where p.id = any(${ids}::uuid[]) and ${visible} and ${isShown}
    order by p.publie_le desc, p.id desc`.execute(db)
  return rows
}

/**
 * Returns the ms until the next publication is due or no longer featured, from `lookbackMs` ago on, or until the day
 * ends, when a series has another next date. The feed knows the scheduled ones; others are visible from their commit on,
 * which is notified.
 */
export async function findNextChange(db: Database, lookbackMs: number): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    with asked as (select clock_timestamp() as at, clock_timestamp() - ${lookbackMs} * interval '1 ms' as since)
    select (extract(epoch from least(
      (select min(at) from publication_changes where is_scheduled and at > since),
      (select min(featured_until) from publications where en_avant and featured_until > since),
      (date_trunc('day', since at time zone 'Europe/Paris') + interval '1 day') at time zone 'Europe/Paris') - at)
      * 1000)::float8 as ms
    from asked`.execute(db)
  return rows[0]?.ms ?? null
}

/** Evaluates a condition that needs no table. */
export async function holds(db: Database, condition: RawBuilder<boolean>): Promise<boolean> {
  const { rows } = await sql<{ holds: boolean }>`select ${condition} as holds`.execute(db)
  return rows[0]?.holds ?? false
}

export const communeExists = (id: string) => sql<boolean>`exists (select from communes where id = ${id})`
/** True for an active acteur that is not deleted. */
export const isActeurShown = (id: string) => sql<boolean>`exists (
  select from acteurs where id = ${id} and active and deleted_at is null)`

/** Returns a page of visible publications and their total. Of a page that may lie behind it, the total comes first. */
export async function listShown(db: Database, list: PublicList, paging: Paging): Promise<ListPage> {
  const read = (paging: Paging) => readShown(db, list, paging)
  if (paging.offset < (list.filters.q === undefined ? maxCountedOfList : maxCounted)) return read(paging)
  const first = await read({ ...paging, limit: 1, offset: 0 })
  requireReached(first, paging)
  return paging.offset < first.total ? read(paging) : { ...first, rows: [] }
}

/** Returns the first rows of a list, which is not counted: that takes most of the time of a long one. */
export async function listFirst(db: Database, list: PublicList, limit: number): Promise<Listed[]> {
  return (await readShown(db, { ...list, isCounted: false }, pagingOf({ per_page: limit }, limit))).rows
}

async function readShown(db: Database, list: PublicList, paging: Paging): Promise<ListPage> {
  const { q, ...filters } = list.filters
  const all = { ...list, filters }
  if (list.each !== undefined) return withTotal(listOccurrences(db, list, list.each, paging))
  if (q === undefined || !hasWord(q)) return readAll(db, all, paging)
  const walked = await listWalked(db, all, q, paging)
  if (walked !== null) return walked
  const matching = await listMatching(db, list, q, paging)
  return matching.instead === null ? matching : readAll(db, all, paging)
}

/** Reads a list without words, whose total is counted up to one more than is shown. */
const readAll = (db: Database, list: PublicList, paging: Paging) => withTotal(listAll(db, list, paging))

async function withTotal(read: Promise<ListPage>): Promise<ListPage> {
  const { total, ...page } = await read
  return { ...page, ...totalOfList(total) }
}

async function listAll(db: Database, list: PublicList, paging: Paging): Promise<ListPage> {
  const { sort, date_fin_min, date_debut_min, ...others } = list.filters
  const stored = storedListOf(list)
  if (stored !== null)
    return sort === undefined ? listNewest(db, list, stored, paging) : listAgenda(db, list, stored, paging)
  const listing = sort === undefined ? null : storedListOf({ ...list, filters: { ...others, sort } })
  if (listing !== null && date_debut_min === undefined && date_fin_min !== undefined)
    return listAgendaFrom(db, list, { listing, day: date_fin_min }, paging)
  if (listing !== null && date_fin_min === undefined && date_debut_min !== undefined)
    return listBeginningFrom(db, list, { listing, day: date_debut_min }, paging)
  return listFound(db, list, paging)
}

/** Returns the stored list; null if it does not cover all filters other than words. */
function storedListOf({ filters, communeIds }: PublicList): StoredList | null {
  const { sort, commune_id, acteur_id, type_id, date_debut_min, date_debut_max, date_fin_min } = filters
  if ([date_debut_min, date_debut_max, date_fin_min].some((filter) => filter !== undefined)) return null
  const narrowed = communeIds === null || (commune_id !== undefined && communeIds.includes(commune_id))
  if (!narrowed && (commune_id !== undefined || communeIds.length !== 1)) return null
  const listing = { commune_id: narrowed ? commune_id : communeIds[0], acteur_id, type_id }
  if (!isInOrder(listing)) return null
  // Only lists without acteur and type have an index on the first day.
  return sort === undefined || (acteur_id === undefined && type_id === undefined) ? listing : null
}

/** Lists the few priority rows, all read, then the others in index order from the start of the page. */
function listNewest(db: Database, list: PublicList, listing: StoredList, { limit, offset }: Paging) {
  const { first, others } = partsOf(list)
  const shown = sql`${listedIn(listing)} and ${isDue}`
  const firstOnes = sql`(select count(*) from first)`
  return readPage(db, list, (listings) => ({
    found: sql`first as materialized (
      select l.publication_id, l.publie_le from ${listings} l where ${shown} and ${first})`,
    total: countShown(listing, listings),
    page: sql`
      (select publication_id, 1 as part from first
       order by publie_le desc, publication_id desc limit ${limit}::bigint offset ${offset}::bigint)
      union all
      (select l.publication_id, 2 from ${listings} l
       where ${shown} and ${others}
       order by l.publie_le desc, l.publication_id desc
       limit greatest(0, ${limit}::bigint - greatest(0, ${firstOnes} - ${offset}::bigint))
       offset greatest(0, ${offset}::bigint - ${firstOnes}))`,
  }))
}

/** Lists by first day, in index order. */
function listAgenda(db: Database, list: PublicList, listing: StoredList, { limit, offset }: Paging) {
  return readPage(db, list, (listings) => ({
    found: sql`shown as not materialized (
      select * from ${listings} l where ${listedIn(listing)} and ${isDue})`,
    total: countShown(listing, listings),
    page: sql`
      select publication_id, 1 as part from shown
      order by date_debut, publication_id limit ${limit}::bigint offset ${offset}::bigint`,
  }))
}

/** Lists what begins on a day or later, in index order, and counts it within the index. */
function listBeginningFrom(
  db: Database,
  list: PublicList,
  { listing, day }: { listing: StoredList; day: string },
  { limit, offset }: Paging,
): Promise<ListPage> {
  return readPage(db, list, (listings) => ({
    found: sql`shown as not materialized (
      select * from ${listings} l where ${listedIn(listing)} and ${isDue} and l.date_debut >= ${day})`,
    total: sql`(select count(*) from (select from shown limit ${sql.lit(maxCountedOfList + 1)}) counted)`,
    page: sql`
      select publication_id, 1 as part from shown
      order by date_debut, publication_id limit ${limit}::bigint offset ${offset}::bigint`,
  }))
}

/**
 * Lists what is not over on a day, by first day: what is under way then, read whole, followed by what begins
 * later, in index order from the start of the page.
 */
function listAgendaFrom(
  db: Database,
  list: PublicList,
  { listing, day }: { listing: StoredList; day: string },
  { limit, offset }: Paging,
): Promise<ListPage> {
  const shown = sql`${listedIn(listing)} and ${isDue}`
  const underWay = sql`(select count(*) from under_way)`
  const startedBefore = (listings: Listings) => sql`
    select l.publication_id, l.date_debut from ${listings} l
    where ${shown} and l.date_fin > l.date_debut and l.date_fin >= ${day} and l.date_debut < ${day}`
  return readPage(db, list, (listings) => ({
    found: sql`under_way as materialized (
      ${startedBefore(listings)} and (l.date_fin - l.date_debut > 31) is false and l.date_fin <= ${day}::date + 31
      union all ${startedBefore(listings)} and (l.date_fin - l.date_debut > 31) is true)`,
    total: sql`(
      ${underWay} + (select count(*) from (
        select from ${listings} l where ${shown} and l.date_debut >= ${day}
        limit ${sql.lit(maxCountedOfList + 1)}) later))`,
    page: sql`
      (select publication_id, 1 as part from under_way
       order by date_debut, publication_id limit ${limit}::bigint offset ${offset}::bigint)
      union all
      (select l.publication_id, 1 from ${listings} l
       where ${shown} and l.date_debut >= ${day}
       order by l.date_debut, l.publication_id
       limit greatest(0, ${limit}::bigint - greatest(0, ${underWay} - ${offset}::bigint))
       offset greatest(0, ${offset}::bigint - ${underWay}))`,
  }))
}

/** Returns how often each of these publications was changed, which the public record does not say. */
export async function findVersions(db: Database, ids: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; version: number }>`
    select id, version from publications where id = any(${ids}::uuid[])`.execute(db)
  return new Map(rows.map(({ id, version }) => [id, version]))
}
