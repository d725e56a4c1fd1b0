import { sql } from 'kysely'
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

/** Counts the publications of a back-office list, up to one more than is shown. Groups of duplicates know their sizes. */
export async function countManaged(db: Database, query: ListQuery): Promise<number> {
  const { q, duplicates, deleted = 'false' } = query
  const isSearch = q !== undefined && hasWord(q)
  const total =
    duplicates && deleted === 'false' && isWhole(query)
      ? sql`(select coalesce(sum(members), 0)::int from duplicate_groups)`
      : countMatches(
          sql`select from ${tablesFor(query)} where ${matching(query)}`,
          isSearch ? maxCounted : maxCountedOfList,
        )
  const { rows } = await sql<{ total: number }>`select ${total} as total`.execute(db)
  return rows[0]?.total ?? 0
}
