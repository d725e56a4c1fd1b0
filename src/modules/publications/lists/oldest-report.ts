import { sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { listedColumns } from '../columns.office.ts'
import { publicationTables } from '../columns.ts'
import { countOf } from './counts.ts'
import { matching } from './filters.ts'
import type { ListedPublication, ListQuery } from './schema.ts'

/** Returns a page in the order of the oldest open report; those without one come after, oldest first. */
export async function listByOldestReport(
  db: Database,
  query: ListQuery,
  { limit, offset }: Paging,
): Promise<{ rows: ListedPublication[]; total: number }> {
  const condition = matching(query)
  const tables = sql`publications p left join acteurs a on a.id = p.acteur_id`
  const counted = sql`(select count(*) from reported)`
  const page = sql<ListedPublication>`
    with reported as materialized (
      select p.id, r.at from (
        select publication_id, min(created_at) as at from publication_reports where closed_at is null
        group by publication_id) r
      join (${tables}) on p.id = r.publication_id
      where ${condition}),
    picked as materialized (
      (select id, 1 as part, at from reported order by at, id limit ${limit}::bigint offset ${offset}::bigint)
      union all
      (select p.id, 2, p.created_at from ${tables}
       where ${allOf(condition, sql`p.id not in (select id from reported)`)}
       order by p.created_at, p.id
       limit greatest(0, ${limit}::bigint - greatest(0, ${counted} - ${offset}::bigint))
       offset greatest(0, ${offset}::bigint - ${counted})))
    select ${listedColumns} from picked join ${publicationTables} on p.id = picked.id
    order by picked.part, picked.at, picked.id`.execute(db)
  const total = sql<{ total: number }>`select ${countOf(query)} as total`.execute(db)
  const [{ rows }, { rows: totals }] = await Promise.all([page, total])
  return { rows, total: totals[0]?.total ?? 0 }
}
