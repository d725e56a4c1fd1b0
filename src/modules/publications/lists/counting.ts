import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { hasWord } from '../../../platform/formats/text.ts'
import { countMatches } from '../../../platform/http/listing/list.ts'
import { maxCounted, maxCountedOfList } from '../../../platform/http/listing/paging.ts'
import { matching, tablesFor } from './filters.ts'
import type { ListQuery } from './schema.ts'

/** Lists with more rows are read in the order of an index, others are read whole and sorted. */
export const fewRows = 5_000

/** True if no filter but `deleted` and `duplicates` selects rows. */
export const isWhole = ({
  deleted,
  duplicates,
  page,
  per_page,
  after,
  sort,
  ...filters
}: ListQuery): boolean => Object.values(filters).every((value) => value === undefined || value === false)

/** The number of matches, up to one more than is shown. */
type Counted = {
  counted: number
  /** Ids of few matches in a commune, as an array in PostgreSQL's text: most of what was looked up to find them did not match. */
  ids: string | null
}

/** Counts the publications of a back-office list. Groups of duplicates know their sizes. */
export async function countManaged(
  db: Database,
  query: ListQuery,
  own: RawBuilder<boolean> | false = false,
): Promise<Counted> {
  const { q, duplicates, deleted = 'false' } = query
  const { commune_id: communeId, ...others } = query
  const isSearch = q !== undefined && hasWord(q)
  const isInCommune = communeId !== undefined && sql`p.id in (${placesOf(communeId)})`
  const isLive = deleted === 'false' && own === false
  const isOfCommune = isLive && !duplicates && isWhole(others)
  const matches = (columns: RawBuilder<unknown>) =>
    sql`select ${columns} from ${tablesFor(query)} where ${allOf(matching(others), isInCommune, own)}`
  if (isInCommune && !isOfCommune && !isSearch && !duplicates) return countWithIds(db, matches(sql`p.id`))
  const total =
    duplicates && isLive && isWhole(query)
      ? sql`(select coalesce(sum(members), 0)::int from duplicate_groups)`
      : countMatches(
          isOfCommune && communeId !== undefined ? livePlaces(communeId) : matches(sql``),
          isSearch ? maxCounted : maxCountedOfList,
        )
  const { rows } = await sql<{ total: number }>`select ${total} as total`.execute(db)
  return { counted: rows[0]?.total ?? 0, ids: null }
}

async function countWithIds(db: Database, matches: RawBuilder<unknown>): Promise<Counted> {
  const { rows } = await sql<Counted>`
    with matched as materialized (${matches} limit ${sql.lit(maxCountedOfList + 1)}),
      total as (select count(*)::int as counted from matched)
    select counted, case when counted <= ${sql.lit(fewRows)} then (
      select coalesce(array_agg(id), '{}')::text from matched) end as ids
    from total`.execute(db)
  return rows[0] ?? { counted: 0, ids: null }
}

/**
 * Selects the publications of a commune that are not deleted. It looks up the few deleted ones: to read the state of each
 * publication would take ten times as long.
 */
const livePlaces = (communeId: string) => sql`
  select from (${placesOf(communeId, sql`union all`)}) place where not exists (
    select from publications p where p.id = place.publication_id and p.deleted_at is not null)`

/**
 * Selects what `publication_places` has of a commune, each once, also where two of its groups publish by one acteur. A union tells
 * PostgreSQL so, which then expects as many rows; of the view it expects 200.
 */
const placesOf = (communeId: string, union = sql`union`) => sql`
  select publication_id from publication_communes where commune_id = ${communeId}
  ${union}
  select id from publications of_group where acteur_id in (
      select g.acteur_id from groups g join group_communes m on m.group_id = g.id where m.commune_id = ${communeId})
    and not exists (select from publication_communes pc where pc.publication_id = of_group.id)`
