import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'

/**
 * A public list as stored in `publication_listings l`: of the whole country, a commune or an acteur,
 * optionally of one type. Triggers maintain its rows and counts (see the migration `publication-lists`);
 * queries evaluate what depends on the time.
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

/** True when counts are stored: an acteur's are not split by type or commune. */
export const isCounted = ({ commune_id, acteur_id, type_id }: StoredList): boolean =>
  acteur_id === undefined || (commune_id === undefined && type_id === undefined)

/** Condition for the rows with a list's counts. */
export function listOf({ commune_id, acteur_id }: Omit<StoredList, 'type_id'>): RawBuilder<boolean> {
  if (acteur_id !== undefined) return sql`list = 'acteur' and key = ${acteur_id}`
  if (commune_id !== undefined) return sql`list = 'commune' and key = ${commune_id}`
  return sql`list = 'all' and key = ${everywhere}`
}

/** Counts the visible publications of a list: its stored count minus the few rows due in the future. */
export function countShown(listing: StoredList): RawBuilder<number> {
  const { type_id } = listing
  const numbers = allOf(listOf(listing), type_id !== undefined && sql`type_id = ${type_id}`)
  return sql<number>`(
    (select coalesce(sum(n), 0) from listing_counts where ${numbers})
    - (select count(*) from publication_listings l
       where ${listedIn(listing)} and l.publie_le > statement_timestamp()))::int`
}
