import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { maxCounted, type Paging, totalOfSearch } from '../../../platform/http/listing/paging.ts'
import { containWords, rowsToWalk } from '../search.ts'
import { isDue, isInOrder, type Listings, listedIn, type StoredList } from '../stored-lists.ts'
import { shownIn } from '../visibility.ts'
import { onDays } from './materialised-list.ts'
import { type ListPage, type PublicList, partsOf, readPage } from './pages.ts'

/**
 * Returns a page of the matches of common words by walking a stored list in its order until enough are found to fill the
 * page and to count. The word index would return all matches, perhaps a third of the country. Returns null if the word
 * index is the better way.
 */
export async function listWalked(
  db: Database,
  list: PublicList,
  q: string,
  paging: Paging,
): Promise<ListPage | null> {
  const walk = walkOf(list)
  if (walk === null) return null
  const { limit, offset } = paging
  const enough = Math.max(maxCounted + 1, offset + limit)
  const { within, from } = walk
  const walked = await rowsToWalk(db, q, enough, within)
  if (walked === 0) return null
  const contains = holding(allOf(containWords(q), within ?? false))
  const found = await readPage(db, list, (listings) => {
    const { first, others, also, order } = from(listings)
    return {
      found: sql`
      first as materialized (
        select l.publication_id, l.publie_le, l.date_debut, 1 as part from (${first}) l ${contains} where ${also}),
      others as materialized (
        select l.publication_id, l.publie_le, l.date_debut, 2 as part from (
          ${others} order by ${order} limit ${walked}::bigint) l
        ${contains} where ${also} order by ${order} limit ${enough}::bigint)`,
      total: sql`((select count(*) from first) + (select count(*) from others))`,
      page: sql`
      select publication_id, part from (select * from first union all select * from others) l
      order by part, ${order} limit ${limit}::bigint offset ${offset}::bigint`,
      instead: sql`(
      select case when (select count(*) from others) < ${enough}::bigint and exists (
        ${others} order by ${order} limit 1 offset ${walked}::bigint) then 'not enough' end)`,
    }
  })
  return found.instead === null ? { ...found, ...totalOfSearch(found.total) } : null
}

type Walk = {
  /** The communes of an application, over `publications p`. */
  within: RawBuilder<boolean> | undefined
  from(listings: Listings): Steps
}

/** The rows that come first, read whole, and the others in an order that an index has; what all of them must meet besides. */
type Steps = {
  first: RawBuilder<unknown>
  others: RawBuilder<unknown>
  also: RawBuilder<boolean>
  order: RawBuilder<unknown>
}

/** Chooses what to walk for a list; null if no stored list has its rows in order. */
function walkOf(list: PublicList): Walk | null {
  const { filters, communeIds } = list
  const { sort, commune_id, acteur_id, type_id, date_debut_min, date_debut_max, date_fin_min: day } = filters
  const isInScope = communeIds === null || (commune_id !== undefined && communeIds.includes(commune_id))
  if (!isInScope && commune_id !== undefined) return null
  const place = commune_id ?? (communeIds?.length === 1 ? communeIds[0] : undefined)
  const within = place === undefined && communeIds !== null ? shownIn(communeIds) : undefined
  const rows = (listings: Listings, listing: StoredList, ...conditions: (RawBuilder<boolean> | false)[]) =>
    sql`select l.* from ${listings} l where ${allOf(listedIn(listing), isDue, ...conditions)}`
  if (sort === undefined) {
    const listing = { commune_id: place, acteur_id, type_id }
    if (!isInOrder(listing)) return null
    const parts = partsOf(list)
    return {
      within,
      from: (listings) => ({
        first: rows(listings, listing, parts.first),
        others: rows(listings, listing, parts.others),
        also: onDays(filters),
        order: sql`l.publie_le desc, l.publication_id desc`,
      }),
    }
  }
  // An acteur selects fewer rows than a walk by day.
  if (acteur_id !== undefined) return null
  const listing = { commune_id: place }
  const days = [
    date_debut_min !== undefined && sql<boolean>`l.date_debut >= ${date_debut_min}`,
    date_debut_max !== undefined && sql<boolean>`l.date_debut <= ${date_debut_max}`,
  ]
  const isUnderWay = sql<boolean>`(l.date_fin > l.date_debut and l.date_fin >= ${day} and l.date_debut < ${day})`
  const isSoonOver = sql<boolean>`(l.date_fin - l.date_debut > 31) is false and l.date_fin <= ${day}::date + 31`
  const isLong = sql<boolean>`(l.date_fin - l.date_debut > 31) is true`
  return {
    within,
    from: (listings) => ({
      first:
        day === undefined
          ? rows(listings, listing, sql`false`)
          : sql`
          ${rows(listings, listing, ...days, isUnderWay, isSoonOver)}
          union all ${rows(listings, listing, ...days, isUnderWay, isLong)}`,
      others: rows(listings, listing, ...days, day !== undefined && sql`l.date_debut >= ${day}`),
      also: allOf(type_id !== undefined && sql`l.type_id = ${type_id}`),
      order: sql`l.date_debut, l.publication_id`,
    }),
  }
}

/** Checks each row by id (`offset 0`); otherwise PostgreSQL would fetch all matches and join. */
const holding = (contains: RawBuilder<boolean>): RawBuilder<unknown> => sql`join lateral (
  select p.id from publications p where p.id = l.publication_id and ${contains} offset 0) held on true`
