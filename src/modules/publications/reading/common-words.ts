import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { countShown, isCounted, isDue, type Listing, listedIn } from '../listings.ts'
import { holdWords } from '../search.ts'
import { type PublicList, readPage, type Shown } from './pages.ts'

/** Words are common that stand in so many of the hundred newest of a list, and by that in so many of all of it. */
const commonOfHundred = 5
const commonOfAll = 10_000
/** Of what holds them no more is counted, unless a page lies further back. */
const counted = 1_000
/** Further back than that they are looked for by their index. */
const mostWalked = 40_000

type Search = { list: PublicList; listing: Listing; q: string }

/**
 * A page of what holds common words, newest first: along the list that stands ready, until enough was found. The index of
 * words would bring all that hold them, a third of the country maybe, to be looked at one by one. Null where the words
 * are rare, or too few were found: then that index is the shorter way, and the total is exact.
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

async function areCommon(db: Database, listing: Listing, q: string): Promise<boolean> {
  if (!isCounted(listing)) return false
  const { rows } = await sql<{ holding: number; listed: number }>`
    select count(held.id) as holding, ${countShown(listing)} as listed from (
      select l.publication_id from publication_listings l where ${listedIn(listing)} and ${isDue}
      order by l.publie_le desc, l.publication_id desc limit 100) l
    left ${holding(q)}`.execute(db)
  const { holding: ofHundred, listed } = rows[0] ?? { holding: 0, listed: 0 }
  return ofHundred >= commonOfHundred && (ofHundred / 100) * listed > commonOfAll
}

/** Each row is tried by its id (`offset 0`): PostgreSQL would fetch all that holds the words, and join it. */
const holding = (q: string): RawBuilder<unknown> => sql`join lateral (
  select p.id from publications p where p.id = l.publication_id and ${holdWords(q)} offset 0) held on true`
