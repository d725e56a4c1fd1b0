import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../platform/database/conditions.ts'

/**
 * A public list, as it stands in `publication_listings l`: of the whole country, a commune or an acteur, maybe of one
 * type. Triggers keep its rows and its numbers (see the migration `publication-lists`); what time alone changes is told
 * here, when it is read.
 */
export type Listing = {
  commune_id?: string | undefined
  acteur_id?: string | undefined
  type_id?: string | undefined
}

// Written out, not a value: a plan that is kept then knows which indexes hold the whole country alone.
export const everywhere = sql`'00000000-0000-0000-0000-000000000000'::uuid`

/** Its rows, those included whose time is still to come. */
export const listedIn = ({ commune_id, acteur_id, type_id }: Listing): RawBuilder<boolean> =>
  allOf(
    sql`l.commune_id = ${commune_id ?? everywhere}`,
    acteur_id !== undefined && sql`l.acteur_id = ${acteur_id}`,
    type_id !== undefined && sql`l.type_id = ${type_id}`,
  )

export const isDue: RawBuilder<boolean> = sql<boolean>`l.publie_le <= statement_timestamp()`

/** Featured, and not past its end. */
export const isFeatured: RawBuilder<boolean> = sql<boolean>`(
  l.featured_until is not null and l.featured_until > now())`
export const isPinned: RawBuilder<boolean> = sql<boolean>`l.epingle`

/** Whether its numbers are kept: an acteur's are not told apart by type or commune. */
export const isCounted = ({ commune_id, acteur_id, type_id }: Listing): boolean =>
  acteur_id === undefined || (commune_id === undefined && type_id === undefined)

/** Where its numbers stand. */
export function listOf({ commune_id, acteur_id }: Omit<Listing, 'type_id'>): RawBuilder<boolean> {
  if (acteur_id !== undefined) return sql`list = 'acteur' and key = ${acteur_id}`
  if (commune_id !== undefined) return sql`list = 'commune' and key = ${commune_id}`
  return sql`list = 'all' and key = ${everywhere}`
}

/** How many it shows: those that are listed, but for the few whose time is still to come. */
export function countShown(listing: Listing): RawBuilder<number> {
  const { type_id } = listing
  const numbers = allOf(listOf(listing), type_id !== undefined && sql`type_id = ${type_id}`)
  return sql<number>`(
    (select coalesce(sum(n), 0) from listing_counts where ${numbers})
    - (select count(*) from publication_listings l
       where ${listedIn(listing)} and l.publie_le > statement_timestamp()))::int`
}
