import { sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { sortOrder } from '../../../platform/database/sort-order.ts'
import type { Found } from '../../../platform/http/listing/list.ts'
import type { Paging } from '../../../platform/http/listing/paging.ts'
import { type Placed, readSlice } from '../../../platform/http/listing/slice.ts'
import { countOf } from './counts.ts'
import { matching } from './filters.ts'
import type { ListQuery } from './schema.ts'

/** Rows of part 1 have an open report, rows of part 2 have none. */
const order = sortOrder('publications oldest_report_asc', [
  { by: sql`picked.part`, type: 'number' },
  { by: sql`picked.at`, type: 'time' },
  { by: sql`picked.id`, type: 'id' },
])

/** Picks a page by oldest open report; publications without one follow, oldest first. */
export async function pickByOldestReport(
  db: Database,
  query: ListQuery,
  paging: Paging,
): Promise<Found<{ id: string }>> {
  const condition = matching(query)
  const tables = sql`publications p left join acteurs a on a.id = p.acteur_id`
  const slice = readSlice<{ id: string }>(paging, order, async ({ position, limit, offset }) => {
    const [part, at, id] = position ?? [0, null, null]
    const isReportedAfter = part === 2 ? sql`false` : part === 1 ? sql`(at, id) > (${at}, ${id})` : sql`true`
    const isOtherAfter = part === 2 ? sql`(p.created_at, p.id) > (${at}, ${id})` : sql`true`
    const counted = sql`(select count(*) from reported where ${isReportedAfter})`
    const { rows } = await sql<{ id: string } & Placed>`
      with reported as materialized (
        select p.id, r.at from (
          select publication_id, min(created_at) as at from publication_reports where closed_at is null
          group by publication_id) r
        join (${tables}) on p.id = r.publication_id
        where ${condition}),
      picked as materialized (
        (select id, 1 as part, at from reported where ${isReportedAfter}
         order by at, id limit ${limit}::bigint offset ${offset}::bigint)
        union all
        (select p.id, 2, p.created_at from ${tables}
         where ${allOf(condition, sql`p.id not in (select id from reported)`, isOtherAfter)}
         order by p.created_at, p.id
         limit greatest(0, ${limit}::bigint - greatest(0, ${counted} - ${offset}::bigint))
         offset greatest(0, ${offset}::bigint - ${counted})))
      select picked.id, ${order.values} as sort_values from picked order by ${order.by}`.execute(db)
    return rows
  })
  const counting = paging.isCounted
    ? sql<{ total: number }>`select ${countOf(query)} as total`.execute(db)
    : { rows: [] }
  const [found, { rows }] = await Promise.all([slice, counting])
  return { ...found, total: rows[0]?.total ?? 0 }
}
