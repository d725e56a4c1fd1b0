import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/listing/paging.ts'
import { everywhere, type StoredList } from '../stored-lists.ts'
import { areCommon } from './common-words.ts'
import { asked, orderOf } from './materialised-list.ts'
import { type PublicList, readPage } from './pages.ts'

type Search = {
  list: PublicList
  q: string
  /** The stored list to walk if the words are common; null: it is never walked. */
  listing: StoredList | null
  /** Beginnings of words that are common in this list; null if they are not known. */
  beginnings: string | null
}

/**
 * Returns a page of matches, which are materialised once, to count and sort them. Reads none and says so in
 * `instead` if the words are common, or if the text has no word as the database tokenises it.
 */
export function listMatching(db: Database, { list, q, listing, beginnings }: Search, paging: Paging) {
  const { filters, comesFirst } = list
  const { limit, offset } = paging
  const words = sql`(select words from asked)`
  const mayBeCommon = beginnings === null ? sql`true` : sql`${beginnings}::tsvector @@ ${words}`
  const judged = listing === null ? sql`false` : sql`${mayBeCommon} and ${areCommon(listing, words)}`
  return readPage(db, list, {
    found: sql`
      asked as materialized (select publication_query(${q}) as words),
      judged as materialized (select ${judged} as are_common),
      found as materialized (
        select l.publication_id, l.publie_le, l.date_debut, case when ${comesFirst} then 1 else 2 end as part
        from ${isOfPlace(list) ? withWords(q) : byWords(words)} l
        where not (select are_common from judged) and ${asked(list)})`,
    total: sql`(select count(*) from found)`,
    page: sql`
      select publication_id, part from found
      order by ${orderOf(filters)} limit ${limit}::bigint offset ${offset}::bigint`,
    instead: sql`(
      select case when words is null then 'no words' when are_common then 'common' end from asked, judged)`,
    isPlannedEachTime: !isNational(list),
  })
}

/** Looks up each match of the word index in the national list (`offset 0`): PostgreSQL cannot tell how few they are. */
const byWords = (words: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select l.* from publications p
  cross join lateral (
    select * from publication_listings l where l.publication_id = p.id and l.commune_id = ${everywhere} offset 0) l
  where p.search @@ ${words})`

/** Leaves it to PostgreSQL, which knows the query, whether the word index or a commune or acteur selects fewer rows. */
const withWords = (q: string): RawBuilder<unknown> => sql`(
  select listed.* from publications p left join acteurs a on a.id = p.acteur_id
  cross join lateral listing_of(p, ${everywhere}) listed
  where p.search @@ publication_query(${q}) and is_listed(p, a))`

const isOfPlace = ({ filters: { commune_id, acteur_id } }: PublicList) =>
  commune_id !== undefined || acteur_id !== undefined

/** True if words are the only filter: one plan suits all values. */
export function isNational({ communeIds, filters }: PublicList): boolean {
  const { commune_id, acteur_id, type_id, date_debut_min, date_debut_max, date_fin_min } = filters
  const others = [commune_id, acteur_id, type_id, date_debut_min, date_debut_max, date_fin_min]
  return communeIds === null && others.every((filter) => filter === undefined)
}
