import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { unprepared } from '../../platform/database/pools/prepared.ts'
import { newestWith } from '../../platform/database/search.ts'
import { maxFound, type SearchSource } from '../../platform/search-source.ts'
import { documentWith } from '../media/documents.ts'

/**
 * Condition for publications with all these words in title, body, place or documents, ignoring accents and endings; the last
 * word may be a prefix. Over `publications p`. Text without a word filters nothing.
 */
export const matches = (q: string): RawBuilder<boolean> => sql<boolean>`(
  publication_query(${q}) is null or p.search @@ publication_query(${q}))`

/** Like `matches`, but builds the query once for any number of rows; an empty query matches nothing. */
export const containWords = (q: string): RawBuilder<boolean> =>
  sql<boolean>`p.search @@ (select publication_query(${q}))`

/** Selects the document of `publications p` in which a search found words that title, text and place have not. */
export const foundIn = (q: string): RawBuilder<unknown> => sql`
  case when p.documents is not null
      and not publication_search(p.title, p.body, p.lieu) @@ publication_query(${q})
    then ${documentWith(sql`p.documents`, sql`publication_query(${q})`)} end as found_in`

/**
 * Returns how many rows of a list to walk in its order until `enough` matches of the words are found; 0 if the indexes of
 * the words or of `within` are the better way. PostgreSQL estimates the matches from its statistics of all publications, so
 * a run of similar new ones changes nothing. As many rows are walked as these indexes would return: in vain, that costs no
 * more than reading these. Where PostgreSQL guesses, a sample is counted.
 */
export async function rowsToWalk(
  db: Database,
  q: string,
  enough: number,
  within?: RawBuilder<unknown>,
): Promise<number> {
  // One after the other: a search takes one connection of the few that lists have.
  const all = await expectInAll(db, 'all')
  const matching = await expectRows(db, contains(q))
  const ofPlace = within && (await expectRows(db, within))
  const share = ofPlace === undefined ? 1 : ofPlace / all
  const toRead = Math.min(matching, ofPlace ?? matching)
  if ((enough * all) / (matching * share) <= toRead) return toRead
  if (toRead < fewRows || matching !== (await expectInAll(db, 'unknown'))) return 0
  // A guess: PostgreSQL expects as many matches of every word that its statistics lack, such as a beginning of many rare
  // ones. To read that many by the index costs about as much as to walk to the end of the page.
  const expected = all * (await shareInSample(db, contains(q), all))
  const toWalk = Math.ceil((2 * enough * all) / (expected * share))
  return expected > Math.sqrt(enough * all) && toWalk < (ofPlace ?? all) ? toWalk : 0
}

/** A search of half a millisecond is not worth a larger one. */
const sampleRows = 300

/** Returns the share of publications that meet a condition, in pages chosen at random, the same each time. */
async function shareInSample(db: Database, condition: RawBuilder<boolean>, all: number): Promise<number> {
  const percent = Math.min(100, (100 * sampleRows) / all)
  const { rows } = await sql<{ share: number | null }>`
    select (count(*) filter (where ${condition}))::float8 / nullif(count(*), 0) as share
    from publications p tablesample system (${percent}::real) repeatable (1)`.execute(unprepared(db))
  return rows[0]?.share ?? 0
}

const contains = (q: string) => sql<boolean>`p.search @@ publication_query(${q})`
const unknownWord = 'zqxjkvw'
const conditions = { all: sql`true`, unknown: contains(unknownWord) }
type Estimates = Map<keyof typeof conditions, { at: number; rows: Promise<number> }>
const estimates = new WeakMap<Database, Estimates>()
/** For so long, estimates are kept that are the same for every search: they change with the statistics of the table. */
const keptMs = 10_000

/** Returns how many publications PostgreSQL expects in all, or with a word that none has. */
function expectInAll(db: Database, of: keyof typeof conditions): Promise<number> {
  const kept: Estimates = estimates.get(db) ?? new Map()
  estimates.set(db, kept)
  const known = kept.get(of)
  if (known !== undefined && performance.now() - known.at < keptMs) return known.rows
  const rows = expectRows(db, conditions[of])
  kept.set(of, { at: performance.now(), rows })
  rows.catch(() => kept.delete(of))
  return rows
}

/** So few matches are read fast, also if they are some times as many. */
const fewRows = 500

async function expectRows(db: Database, condition: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select from publications p where ${condition}`.execute(unprepared(db))
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 1
}

/** Searches publications; deleted ones are found only by id. */
export const publicationsSearchSource: SearchSource = {
  kind: 'publication',
  shown: sql`
    select p.title as label, (select a.nom from acteurs a where a.id = p.acteur_id) as detail
    from publications p where p.id = found.id`,
  ways: (q) => [
    // Of this title, also if other texts with these words are newer.
    {
      ids: sql`
        select id from publications
        where sort_title = search_key(left(${q}, 100)) and deleted_at is null
        order by id desc limit ${sql.lit(maxFound)}`,
    },
    {
      ids: newestWith({
        table: 'publications',
        time: 'created_at',
        live: sql`r.deleted_at is null`,
        matches: sql`r.search @@ ${wordsOf(q)}`,
        limit: maxFound,
      }),
    },
  ],
}

/** The last word may be a prefix, but not in a mail address: nearly every publication has a word that begins with "org". */
const wordsOf = (q: string) =>
  isMailAddress.test(q)
    ? sql`plainto_tsquery('pg_catalog.french', plain_words(${q}))`
    : sql`publication_query(${q})`

const isMailAddress = /^\S+@\S+\.[a-z]{2,}$/i
