import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { maxCountedOfList } from '../../platform/http/listing/paging.ts'

/**
 * A public list as stored in `publication_listings l`: of the whole country, a commune or an acteur,
 * optionally of one type. Triggers maintain its rows (see the migration `publication-lists`); queries evaluate what depends
 * on the time.
 */
export type StoredList = {
  commune_id?: string | undefined
  acteur_id?: string | undefined
  type_id?: string | undefined
}

// A literal, so that a cached plan can use the partial indexes of the whole country.
export const everywhere = sql`'00000000-0000-0000-0000-000000000000'::uuid`

/** Condition for the rows of a list, including rows due in the future. */
export const listedIn = ({ commune_id, acteur_id, type_id }: StoredList): RawBuilder<boolean> =>
  allOf(
    sql`l.commune_id = ${commune_id ?? everywhere}`,
    acteur_id !== undefined && sql`l.acteur_id = ${acteur_id}`,
    type_id !== undefined && sql`l.type_id = ${type_id}`,
  )

export const isDue: RawBuilder<boolean> = sql<boolean>`l.publie_le <= statement_timestamp()`

/** Featured and not past its end. */
export const isFeatured: RawBuilder<boolean> = sql<boolean>`(
  l.featured_until is not null and l.featured_until > now())`
export const isPinned: RawBuilder<boolean> = sql<boolean>`l.epingle`

/** True when an index has the list in order: that of an acteur is not split by type or commune. */
export const isInOrder = ({ commune_id, acteur_id, type_id }: StoredList): boolean =>
  acteur_id === undefined || (commune_id === undefined && type_id === undefined)

/**
 * What lists are read from, as `l`: the stored rows, or the view that computes those of acteurs whose rows are being
 * refreshed. The view is always right, and slower.
 */
export type Listings = RawBuilder<unknown>
export const storedListings: Listings = sql.table('publication_listings')
export const currentListings: Listings = sql.table('current_listings')
/** True while rows of an acteur are being refreshed: what the same statement read from the stored rows does not count. */
export const isRefreshing: RawBuilder<boolean> = sql<boolean>`exists (select from listing_refreshes)`

/** Returns what later statements read lists from. */
export async function findListings(db: Database): Promise<Listings> {
  const { rows } = await sql<{ is_refreshing: boolean }>`select ${isRefreshing} as is_refreshing`.execute(db)
  return rows[0]?.is_refreshing ? currentListings : storedListings
}

/** Counts the visible publications of a list in the index that it walks, up to one more than is shown. */
export const countShown = (listing: StoredList, listings: Listings): RawBuilder<number> => sql<number>`(
  select count(*)::int from (
    select from ${listings} l where ${listedIn(listing)} and ${isDue}
    limit ${sql.lit(maxCountedOfList + 1)}) shown)`
