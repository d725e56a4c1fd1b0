import { sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import { allOf, among, flag } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { byId, sortOrders } from '../../../platform/database/sort-order.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { type Placed, readSlice, type Slice } from '../../../platform/http/listing/slice.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { Run } from '../schema.ts'
import type { AllRunsQuery, RunItemsQuery, SelectedRun, StoredItem } from './schema.ts'

const sourceName = sql`(
  select json_build_object('id', s.id, 'nom', s.nom) from import_sources s where s.id = source_id) as source`

/** Lists the runs of all sources that are not deleted. */
export function listAllRuns(db: Database, query: AllRunsQuery, paging: Paging): Promise<Slice<SelectedRun>> {
  const order = runOrders[query.sort ?? 'started_at_desc']
  return readSlice<SelectedRun>(paging, order, async ({ after, limit, offset }) => {
    const { rows } = await sql<SelectedRun & Placed>`
      select ${columnList(Run.properties)}, ${sourceName}, ${order.values} from import_runs
      where ${allOf(matching(query), after)}
      order by ${order.by} limit ${limit} offset ${offset}`.execute(db)
    return rows
  })
}

export async function countAllRuns(db: Database, query: AllRunsQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from import_runs where ${matching(query)}`.execute(db)
  return rows[0]?.total ?? 0
}

const runOrders = sortOrders('all-import-runs', { started_at: [{ by: sql`started_at`, type: 'time' }, byId] })

const waits = sql`held > 0 and held_decision is null and not dry_run and finished_at is not null`

function matching({ ids, source_id, status, dry_run, held, since, until }: AllRunsQuery) {
  return allOf(
    sql`not exists (
      select from import_sources d where d.id = ${source_id ?? sql`source_id`} and d.deleted_at is not null)`,
    among('id', ids),
    source_id !== undefined && sql`source_id = ${source_id}`,
    among('status', status),
    flag('dry_run', dry_run),
    held !== undefined && (held ? waits : sql`not (${waits})`),
    since !== undefined && sql`started_at >= ${since}::timestamptz`,
    until !== undefined && sql`started_at < ${until}::timestamptz`,
  )
}

/** Throws a 404 if there is no such run, or if its source was deleted. */
export async function requireRun(db: Database, id: string): Promise<void> {
  const { rows } = await sql`
    select from import_runs r join import_sources s on s.id = r.source_id and s.deleted_at is null
    where r.id = ${id}`.execute(db)
  if (rows.length === 0) raise(notFound())
}

/** Lists the stored items of a run in the order of the source, with their publications as they are now. */
export function listRunItems(
  db: Database,
  runId: string,
  { action }: RunItemsQuery,
  paging: Paging,
): Promise<Slice<StoredItem>> {
  return readSlice<StoredItem>(paging, inOrder, async ({ after, limit, offset }) => {
    const { rows } = await sql<StoredItem & Placed>`
      select i.id, position, external_id, i.title, action, reason, publication_id,
        case when p.id is not null then json_build_object('id', p.id, 'title', p.title,
          'moderation_status', p.moderation_status, 'deleted', p.deleted_at is not null) end as publication,
        ${inOrder.values}
      from import_run_items i left join publications p on p.id = i.publication_id
      where ${allOf(sql`run_id = ${runId}`, among('action', action), after)}
      order by ${inOrder.by} limit ${limit} offset ${offset}`.execute(db)
    return rows
  })
}

export async function countRunItems(db: Database, runId: string, { action }: RunItemsQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from import_run_items
    where ${allOf(sql`run_id = ${runId}`, among('action', action))}`.execute(db)
  return rows[0]?.total ?? 0
}

const inOrder = sortOrders('import-run-items', {
  position: [{ by: sql`position`, type: 'number' }],
}).position_asc
