import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/listing/paging.ts'
import { containWords } from '../search/search.ts'
import { countShown, isDue, listedIn, type StoredList } from '../stored-lists.ts'
import { type PublicList, readPage, type Shown } from './pages.ts'

/** Words are common when this many of the hundred newest rows contain them. */
const commonOfHundred = 5
const commonOfAll = 10_000
/** Matches are counted up to this number, or to the end of the requested page if it lies further back. */
const counted = 1_000
/** Beyond this number of rows the word index is used. */
const maxWalked = 40_000

/** Decides by the newest rows of a list, so many as `commonOfHundred` refers to. */
export const areCommon = (
  listing: StoredList,
  words: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`(
  select count(*) >= ${sql.lit(commonOfHundred)} and count(*) / 100.0 * ${countShown(listing)} > ${sql.lit(commonOfAll)}
  from (
    select l.publication_id from publication_listings l where ${listedIn(listing)} and ${isDue}
    order by l.publie_le desc, l.publication_id desc limit 100) l
  ${holding(sql`p.search @@ ${words}`)})`

type Search = { list: PublicList; listing: StoredList; q: string }

/**
 * Returns a page of matches of common words, newest first, by walking the stored list until enough are found.
 * The word index would return all matches, perhaps a third of the country, to check one by one. Returns null
 * for too few matches: then the word index is faster and its total exact.
 */
export async function listCommon(
  db: Database,
  { list, listing, q }: Search,
  paging: Paging,
): Promise<Shown | null> {
  const { comesFirst } = list
  const { limit, offset } = paging
  const enough = Math.max(counted, offset + limit)
  if (enough > maxWalked) return null
  const shown = sql`${listedIn(listing)} and ${isDue}`
  const contains = holding(containWords(q))
  const shownPage = await readPage(db, list, {
    found: sql`
      first as materialized (
        select l.publication_id, l.publie_le, 1 as part from publication_listings l ${contains}
        where ${shown} and ${comesFirst}),
      others as materialized (
        select l.publication_id, l.publie_le, 2 as part from (
          select * from publication_listings l where ${shown} and not ${comesFirst}
          order by l.publie_le desc, l.publication_id desc limit ${sql.lit(maxWalked)}) l
        ${contains} order by l.publie_le desc, l.publication_id desc limit ${enough}::bigint)`,
    total: sql`(select count(*) from others)`,
    page: sql`
      select publication_id, part from (select * from first union all select * from others) found
      order by part, publie_le desc, publication_id desc limit ${limit}::bigint offset ${offset}::bigint`,
  })
  if (shownPage.isKnown && shownPage.total < enough) return null
  return { ...shownPage, isAtLeast: true }
}

/** Checks each row by id (`offset 0`); otherwise PostgreSQL would fetch all matches and join. */
const holding = (contains: RawBuilder<boolean>): RawBuilder<unknown> => sql`join lateral (
  select p.id from publications p where p.id = l.publication_id and ${contains} offset 0) held on true`

/** A stale list only makes a search slower, and words become common over months. */
const lifetimeMs = 300_000

/**
 * Returns a function that reads which beginnings of words are common in the national list, as the text of a
 * tsvector. No query that lacks one of them in it has many matches. Remembered for some minutes.
 */
export function rememberCommonBeginnings(): (db: Database) => Promise<string> {
  let last: { at: number; beginnings: Promise<string> } | null = null
  return (db) => {
    const now = performance.now()
    if (last !== null && now < last.at + lifetimeMs) return last.beginnings
    const read = { at: now, beginnings: readCommonBeginnings(db) }
    last = read
    read.beginnings.catch(() => {
      if (last === read) last = null
    })
    return read.beginnings
  }
}

/**
 * Reads the beginnings that at least four of the hundred newest publications contain, fewer than make a word
 * common, because the hundred change. A beginning is left out if a longer one stands for it.
 */
async function readCommonBeginnings(db: Database): Promise<string> {
  const { rows } = await sql<{ beginnings: string }>`
    with newest as materialized (
      select p.id, p.search from (
        select l.publication_id from publication_listings l where ${listedIn({})} and ${isDue}
        order by l.publie_le desc, l.publication_id desc limit 100) l
      join publications p on p.id = l.publication_id
      where (select ${countShown({})} > ${sql.lit(commonOfAll)})),
    common as (
      select left(lexeme, length) as beginning, count(*) filter (where length = char_length(lexeme)) >= 4 as is_word
      from newest, unnest(tsvector_to_array(search)) lexeme, generate_series(1, char_length(lexeme)) length
      group by beginning having count(distinct id) >= 4),
    followed as (
      select beginning, is_word, lead(beginning) over (order by beginning collate "C") as next from common)
    select coalesce(array_to_tsvector(array_agg(beginning)), '')::text as beginnings from followed
    where is_word or next is null or not starts_with(next, beginning)`.execute(db)
  return rows[0]?.beginnings ?? ''
}
