import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { prepared } from '../../../platform/database/pools/prepared.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { containWords } from '../search.ts'
import { countShown, isCounted, isDue, listedIn, type StoredList } from '../stored-lists.ts'
import { type PublicList, readPage, type Shown } from './pages.ts'

/** A word is common when this many of the hundred newest rows contain it. */
const commonOfHundred = 5
const commonOfAll = 10_000
/** Matches are counted up to this number, or to the end of the requested page if it lies further back. */
const counted = 1_000
/** Beyond this number of rows the word index is used. */
const mostWalked = 40_000

type Search = { list: PublicList; listing: StoredList; q: string }

/**
 * Returns a page of matches of common words, newest first, by walking the stored list until enough are found.
 * The word index would return all matches, perhaps a third of the country, to check one by one. Returns null
 * for rare words or too few matches: then the word index is faster and its total exact.
 */
export async function listCommon(
  db: Database,
  { list, listing, q }: Search,
  paging: Paging,
): Promise<Shown | null> {
  if (!(await areCommon(db, listing, q))) return null
  const { comesFirst } = list
  const { limit, offset } = paging
  const enough = Math.max(counted, offset + limit)
  if (enough > mostWalked) return null
  const shown = sql`${listedIn(listing)} and ${isDue}`
  const shownPage = await readPage(db, list, {
    found: sql`
      first as materialized (
        select l.publication_id, l.publie_le, 1 as part from publication_listings l ${holding(q)}
        where ${shown} and ${comesFirst}),
      others as materialized (
        select l.publication_id, l.publie_le, 2 as part from (
          select * from publication_listings l where ${shown} and not ${comesFirst}
          order by l.publie_le desc, l.publication_id desc limit ${sql.lit(mostWalked)}) l
        ${holding(q)} order by l.publie_le desc, l.publication_id desc limit ${enough}::bigint)`,
    total: sql`(select count(*) from others)`,
    page: sql`
      select publication_id, part from (select * from first union all select * from others) found
      order by part, publie_le desc, publication_id desc limit ${limit}::bigint offset ${offset}::bigint`,
  })
  if (shownPage.isKnown && shownPage.total < enough) return null
  return { ...shownPage, isAtLeast: true }
}

async function areCommon(db: Database, listing: StoredList, q: string): Promise<boolean> {
  if (!isCounted(listing)) return false
  const { rows } = await sql<{ holding: number; listed: number }>`
    select count(held.id) as holding, ${countShown(listing)} as listed from (
      select l.publication_id from publication_listings l where ${listedIn(listing)} and ${isDue}
      order by l.publie_le desc, l.publication_id desc limit 100) l
    left ${holding(q)}`.execute(prepared(db))
  const { holding: ofHundred, listed } = rows[0] ?? { holding: 0, listed: 0 }
  return ofHundred >= commonOfHundred && (ofHundred / 100) * listed > commonOfAll
}

/** Checks each row by id (`offset 0`); otherwise PostgreSQL would fetch all matches and join. */
const holding = (q: string): RawBuilder<unknown> => sql`join lateral (
  select p.id from publications p where p.id = l.publication_id and ${containWords(q)} offset 0) held on true`
