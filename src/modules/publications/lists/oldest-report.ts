import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { sortOrder } from '../../../platform/database/sort-order.ts'
import { hasWord } from '../../../platform/formats/text.ts'
import type { ListResult } from '../../../platform/http/listing/list.ts'
import {
  type Paging,
  requireReached,
  totalOfList,
  totalOfSearch,
} from '../../../platform/http/listing/paging.ts'
import { readSlice, type SliceRow } from '../../../platform/http/listing/slice.ts'
import { rowsToWalk } from '../search.ts'
import { countManaged, fewRows } from './counting.ts'
import { asked, matching, notReported, tablesFor } from './filters.ts'
import type { ListQuery } from './schema.ts'

/** Rows of part 1 have an open report, rows of part 2 have none. */
const order = sortOrder('publications oldest_report_asc', [
  { by: sql`picked.part`, type: 'number' },
  { by: sql`picked.at`, type: 'time' },
  { by: sql`picked.id`, type: 'id' },
])

/**
 * Picks a page by oldest open report; publications without one follow, oldest first. Both parts walk an index in
 * order, as far as the page reaches, unless so few match that reading them whole is faster.
 */
export async function pickByOldestReport(
  db: Database,
  query: ListQuery,
  paging: Paging,
): Promise<ListResult<{ id: string }>> {
  // Each part has its own condition on reports.
  const { reported, ...others } = query
  const isSearch = others.q !== undefined && hasWord(others.q)
  const { counted } = await countManaged(db, query)
  const total = isSearch ? totalOfSearch(counted) : totalOfList(counted)
  if (paging.offset >= total.total) {
    requireReached(total, paging)
    return { rows: [], next: null, ...total }
  }
  const enough = sql`${paging.offset + paging.limit + 1}::bigint`
  const walked = isSearch ? await rowsToWalk(db, others.q ?? '', paging.offset + paging.limit + 1) : 0
  const isMaterialized = isSearch || counted <= fewRows
  const of = (publications?: RawBuilder<unknown>) => sql`${tablesFor(others, publications)}`
  const found = await readSlice<{ id: string }>(paging, order, async ({ position, limit, offset }) => {
    const [part, at, id] = position ?? [0, null, null]
    const isReportedAfter = part === 1 ? sql`(r.created_at, r.publication_id) > (${at}, ${id})` : sql`true`
    const isOtherAfter = part === 2 ? sql`(p.created_at, p.id) > (${at}, ${id})` : sql`true`
    const hasReported = part !== 2 && asked(reported) !== false
    const hasOthers = asked(reported) !== true
    const isOther = sql`${hasOthers} and ${notReported} and ${isOtherAfter}`
    const oldest = sql`(
      select * from publications p where ${isOtherAfter} order by p.created_at, p.id limit ${walked}::bigint)`
    // No part needs more. PostgreSQL walks an index if it knows this limit when it plans.
    const { rows } = await sql<{ id: string } & SliceRow>`
      with found as ${sql.raw(isMaterialized ? '' : 'not ')}materialized (
        select p.id, p.created_at from ${of()} where ${matching(others)}),
      reported as materialized (
        select r.publication_id as id, r.created_at as at
        from publication_reports r join ${of()} on p.id = r.publication_id
        where ${matching(others)} and ${hasReported} and ${isOldestOpen} and ${isReportedAfter}
        order by at, id limit ${enough}),
      walked as materialized (
        select p.id, p.created_at as at from ${of(oldest)}
        where ${matching(others)} and ${isOther} order by at, id limit ${enough}),
      others as not materialized (
        select id, at from walked where (select count(*) from walked) >= ${enough}
        union all
        (select p.id, p.created_at as at from found p
        where (select count(*) from walked) < ${enough} and ${isOther}
        order by at, id limit ${enough})),
      counted as materialized (select count(*) as n from reported),
      picked as materialized (
        (select id, 1 as part, at from reported order by at, id limit ${limit}::bigint offset ${offset}::bigint)
        union all
        (select id, 2, at from others order by at, id
         limit (select greatest(0, ${limit}::bigint - greatest(0, n - ${offset}::bigint)) from counted)
         offset (select greatest(0, ${offset}::bigint - n) from counted)))
      select picked.id, ${order.values} as sort_values from picked order by ${order.by}`.execute(db)
    return rows
  })
  return { ...found, ...total }
}

/** The oldest open report `r` of its publication; of concurrent ones, one. */
const isOldestOpen = sql`r.closed_at is null and not exists (
  select from publication_reports older
  where older.publication_id = r.publication_id and older.closed_at is null
    and (older.created_at, older.id) < (r.created_at, r.id))`
