import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/listing/paging.ts'
import { isDue, type Listings, listedIn, storedListings } from '../stored-lists.ts'
import { type PublicList, partsOf, readPage } from './pages.ts'

/** Returns a page of rows that are materialised once, to count and sort them. */
export function listFound(db: Database, list: PublicList, { limit, offset }: Paging) {
  const { filters, comesFirst } = list
  return readPage(db, list, (listings) => ({
    found: sql`found as materialized (
      select l.publication_id, l.publie_le, l.date_debut, case when ${comesFirst} then 1 else 2 end as part
      from ${listings} l where ${asked(list, listings)})`,
    total: sql`(select count(*) from found)`,
    page: sql`select publication_id, part from found order by ${orderOf(filters)} limit ${limit} offset ${offset}`,
    isPlannedEachTime: true,
  }))
}

/** The order of a materialised list. */
export const orderOf = ({ sort }: PublicList['filters']): RawBuilder<unknown> =>
  sort === undefined ? sql`part, publie_le desc, publication_id desc` : sql`date_debut, publication_id`

/** Condition for the rows of listings `l` that the filters other than words select. */
export function asked(list: PublicList, listings: Listings): RawBuilder<boolean> {
  const { filters, communeIds, after } = list
  const { first, others } = partsOf(list)
  const { commune_id, acteur_id, type_id, q } = filters
  // Words or an acteur are more selective than a commune.
  const isNarrow = q !== undefined || acteur_id !== undefined
  return allOf(
    listedIn({ commune_id: isNarrow ? undefined : commune_id, acteur_id, type_id }),
    isDue,
    isNarrow && commune_id !== undefined && attached(listings, [commune_id]),
    communeIds !== null && attached(listings, communeIds),
    onDays(filters),
    after !== undefined && sql`(${first} or ${others})`,
  )
}

/** Condition for the events of the days that the filters name. */
export const onDays = ({
  date_debut_min,
  date_debut_max,
  date_fin_min,
}: PublicList['filters']): RawBuilder<boolean> =>
  allOf(
    date_debut_min !== undefined && sql`l.date_debut >= ${date_debut_min}`,
    date_debut_max !== undefined && sql`l.date_debut <= ${date_debut_max}`,
    date_fin_min !== undefined &&
      sql`coalesce(l.date_fin, l.date_debut) >= ${date_fin_min} and l.date_debut is not null`,
  )

/**
 * Condition for publications that are also in the list of one of these communes. Lists that are computed would be computed again
 * for each row.
 */
export const attached = (listings: Listings, communeIds: string[]) => sql<boolean>`l.publication_id in (
  select placed.publication_id from ${listings === storedListings ? listings : sql.table('shown_places')} placed
  where placed.commune_id = any(${communeIds}::uuid[]))`
