import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { maxCounted, type Paging, totalOfSearch } from '../../../platform/http/listing/paging.ts'
import { containWords, rowsToWalk } from '../search.ts'
import { isDue, listedIn, type StoredList } from '../stored-lists.ts'
import { type ListPage, type PublicList, readPage } from './pages.ts'

type Search = { list: PublicList; listing: StoredList; q: string }

/**
 * Returns a page of the matches of common words, newest first, by walking the stored list until enough are found to fill
 * the page and to count. The word index would return all matches, perhaps a third of the country. Returns null if the
 * word index is the better way.
 */
export async function listWalked(
  db: Database,
  { list, listing, q }: Search,
  paging: Paging,
): Promise<ListPage | null> {
  const { comesFirst } = list
  const { limit, offset } = paging
  const enough = Math.max(maxCounted + 1, offset + limit)
  const walked = await rowsToWalk(db, q, enough)
  if (walked === 0) return null
  const shown = sql`${listedIn(listing)} and ${isDue}`
  const inOrder = sql`order by l.publie_le desc, l.publication_id desc`
  const contains = holding(containWords(q))
  const found = await readPage(db, list, {
    found: sql`
      first as materialized (
        select l.publication_id, l.publie_le, 1 as part from publication_listings l ${contains}
        where ${shown} and ${comesFirst}),
      others as materialized (
        select l.publication_id, l.publie_le, 2 as part from (
          select * from publication_listings l where ${shown} and not ${comesFirst}
          ${inOrder} limit ${walked}::bigint) l
        ${contains} ${inOrder} limit ${enough}::bigint)`,
    total: sql`((select count(*) from first) + (select count(*) from others))`,
    page: sql`
      select publication_id, part from (select * from first union all select * from others) found
      order by part, publie_le desc, publication_id desc limit ${limit}::bigint offset ${offset}::bigint`,
    instead: sql`(
      select case when (select count(*) from others) < ${enough}::bigint and exists (
        select from publication_listings l where ${shown} and not ${comesFirst}
        ${inOrder} limit 1 offset ${walked}::bigint) then 'not enough' end)`,
  })
  return found.instead === null ? { ...found, ...totalOfSearch(found.total) } : null
}

/** Checks each row by id (`offset 0`); otherwise PostgreSQL would fetch all matches and join. */
const holding = (contains: RawBuilder<boolean>): RawBuilder<unknown> => sql`join lateral (
  select p.id from publications p where p.id = l.publication_id and ${contains} offset 0) held on true`
