import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { publicationTables, publicColumns } from '../columns.ts'
import type { Publication } from '../schema.ts'
import { containsWords } from '../search.ts'
import { countShown, isCounted, isDue, listedIn, type StoredList } from '../stored-lists.ts'
import { visible } from '../visibility.ts'
import { listCommon } from './common-words.ts'
import { listFound } from './materialised-list.ts'
import { type PublicList, readPage, type Shown } from './pages.ts'

export async function listPublicationTypes(db: Database) {
  return db.selectFrom('publication_types').select(['id', 'slug', 'libelle']).orderBy('position').execute()
}

/** Returns a visible publication. */
export async function findPublication(db: Database, id: string): Promise<Publication | undefined> {
  const { rows } = await sql<Publication>`
    select ${publicColumns} from ${publicationTables} where p.id = ${id} and ${visible}`.execute(db)
  return rows[0]
}

/** Returns the ms until the next publication is due or no longer featured, from `lookbackMs` ago on. */
export async function findNextChange(db: Database, lookbackMs: number): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    with asked as (select clock_timestamp() as at, clock_timestamp() - ${lookbackMs} * interval '1 ms' as since)
    select (extract(epoch from least(
      (select min(publie_le) from publications where publie_le > since),
      (select min(featured_until) from publications where en_avant and featured_until > since)) - at) * 1000)::float8 as ms
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

/** Returns a page of visible publications and their total. */
export async function listShown(db: Database, list: PublicList, paging: Paging): Promise<Shown> {
  const { q, sort } = list.filters
  // Text without a word filters nothing.
  if (q !== undefined && !containsWords(q)) {
    const { q: _none, ...filters } = list.filters
    return listShown(db, { ...list, filters }, paging)
  }
  const listing = storedListOf(list)
  if (listing === null) return listFound(db, list, paging)
  if (q !== undefined) {
    const common = sort === undefined ? await listCommon(db, { list, listing, q }, paging) : null
    return common ?? listFound(db, list, paging)
  }
  return sort === undefined ? listNewest(db, list, listing, paging) : listAgenda(db, list, listing, paging)
}

/** Returns the stored list; null if it does not cover all filters other than words. */
function storedListOf({ filters, communeIds }: PublicList): StoredList | null {
  const { sort, commune_id, acteur_id, type_id, date_debut_min, date_debut_max, date_fin_min } = filters
  if ([date_debut_min, date_debut_max, date_fin_min].some((filter) => filter !== undefined)) return null
  const narrowed = communeIds === null || (commune_id !== undefined && communeIds.includes(commune_id))
  if (!narrowed && (commune_id !== undefined || communeIds.length !== 1)) return null
  const listing = { commune_id: narrowed ? commune_id : communeIds[0], acteur_id, type_id }
  if (!isCounted(listing)) return null
  // Only lists without acteur and type have an index on the first day.
  return sort === undefined || (acteur_id === undefined && type_id === undefined) ? listing : null
}

/** Lists the few priority rows, all read, then the others in index order from the start of the page. */
function listNewest(db: Database, list: PublicList, listing: StoredList, { limit, offset }: Paging) {
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

/** Lists by first day, in index order. */
function listAgenda(db: Database, list: PublicList, listing: StoredList, { limit, offset }: Paging) {
  return readPage(db, list, {
    found: sql`shown as not materialized (
      select * from publication_listings l where ${listedIn(listing)} and ${isDue})`,
    total: countShown(listing),
    page: sql`
      select publication_id, 1 as part from shown
      order by date_debut, publication_id limit ${limit}::bigint offset ${offset}::bigint`,
  })
}
