import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { type Paging, totalOfSearch } from '../../../platform/http/listing/paging.ts'
import { everywhere } from '../stored-lists.ts'
import { asked, orderOf } from './materialised-list.ts'
import { type PublicList, readPage, type Shown } from './pages.ts'

/**
 * Returns a page of matches, which are materialised once, to sort them. Reads none and says so in `instead` if the text
 * has no word as the database tokenises it.
 */
export async function listMatching(
  db: Database,
  list: PublicList,
  q: string,
  paging: Paging,
): Promise<Shown> {
  const { filters, comesFirst } = list
  const { limit, offset } = paging
  const words = sql`(select words from asked)`
  const page = await readPage(db, list, {
    found: sql`
      asked as materialized (select publication_query(${q}) as words),
      found as materialized (
        select l.publication_id, l.publie_le, l.date_debut, case when ${comesFirst} then 1 else 2 end as part
        from ${withWords(isOfPlace(list) ? sql`publication_query(${q})` : words)} l
        where ${asked(list)})`,
    total: sql`(select count(*) from found)`,
    page: sql`
      select publication_id, part from found
      order by ${orderOf(filters)} limit ${limit}::bigint offset ${offset}::bigint`,
    instead: sql`(select case when words is null then 'no words' end from asked)`,
    isPlannedEachTime: !isNational(list),
  })
  return { ...page, ...totalOfSearch(page.total) }
}

/**
 * Reads the matches from the publications themselves: to look each up in the stored list would cost twice as much. Where
 * PostgreSQL knows the query, it decides whether the word index or a commune or acteur selects fewer rows.
 */
const withWords = (words: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select listed.* from publications p left join acteurs a on a.id = p.acteur_id
  cross join lateral listing_of(p, ${everywhere}) listed
  where p.search @@ ${words} and is_listed(p, a))`

const isOfPlace = ({ filters: { commune_id, acteur_id } }: PublicList) =>
  commune_id !== undefined || acteur_id !== undefined

/** True if words are the only filter: one plan suits all values. */
export function isNational({ communeIds, filters }: PublicList): boolean {
  const { commune_id, acteur_id, type_id, date_debut_min, date_debut_max, date_fin_min } = filters
  const others = [commune_id, acteur_id, type_id, date_debut_min, date_debut_max, date_fin_min]
  return communeIds === null && others.every((filter) => filter === undefined)
}
