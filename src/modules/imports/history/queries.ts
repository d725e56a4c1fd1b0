import { sql } from 'kysely'
import { columnList, columnsOf } from '../../../platform/database/columns.ts'
import { allOf, among, flag } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { byId, sortOrders } from '../../../platform/database/sort-order.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import { type Placed, readSlice, type Slice } from '../../../platform/http/listing/slice.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { Run } from '../schema.ts'
import type { LoggedRun, LogLine, RunsQuery } from './schema.ts'

/** Builds the response JSON of a row of `import_runs r`. */
export const runJson = sql`json_build_object(${sql.join(
  columnsOf(Run.properties).flatMap((name) => [
    sql.lit(name),
    name.endsWith('_at') ? asWritten(name) : sql.ref(`r.${name}`),
  ]),
)})`

/** Formats a timestamp as in other JSON responses. */
function asWritten(name: string) {
  return sql`to_char(${sql.ref(`r.${name}`)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

export function listRuns(
  db: Database,
  sourceId: string,
  query: RunsQuery,
  paging: Paging,
): Promise<Slice<Run>> {
  const order = orders[query.sort ?? 'started_at_desc']
  return readSlice<Run>(paging, order, async ({ after, limit, offset }) => {
    const { rows } = await sql<Run & Placed>`
      select ${columnList(Run.properties)}, ${order.values} from import_runs
      where ${allOf(matching(sourceId, query), after)}
      order by ${order.by} limit ${limit} offset ${offset}`.execute(db)
    return rows
  })
}

const orders = sortOrders('import-runs', { started_at: [{ by: sql`started_at`, type: 'time' }, byId] })

export async function countRuns(db: Database, sourceId: string, query: RunsQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from import_runs where ${matching(sourceId, query)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** Reads a run; 404 if it belongs to another source, or if its source was deleted. */
export async function getRun(db: Database, sourceId: string, runId: string): Promise<Run> {
  const { rows } = await sql<Run>`
    select ${columnList(Run.properties, 'r')} from import_runs r
    join import_sources s on s.id = r.source_id and s.deleted_at is null
    where r.id = ${runId} and r.source_id = ${sourceId}`.execute(db)
  return rows[0] ?? raise(notFound())
}

const matching = (sourceId: string, { ids, status, dry_run }: RunsQuery) =>
  allOf(sql`source_id = ${sourceId}`, among('id', ids), among('status', status), flag('dry_run', dry_run))

export async function requireSource(db: Database, id: string): Promise<void> {
  const { rows } = await sql`select from import_sources where id = ${id} and deleted_at is null`.execute(db)
  if (rows.length === 0) raise(notFound())
}

/** Limits the response if a source runs often in a day; `lines_total` also counts the omitted lines. */
const mostRuns = 1_500
const mostLines = 20_000

/** Lists the runs that began on a day in Paris, newest first, with their lines. */
export async function listRunsOfDay(db: Database, sourceId: string, date: string): Promise<LoggedRun[]> {
  const { rows: runs } = await sql<LoggedRun>`
    select ${columnList(Run.properties)}, lines_total from import_runs
    where source_id = ${sourceId} and started_at >= ${date}::date::timestamp at time zone 'Europe/Paris'
      and started_at < (${date}::date + 1)::timestamp at time zone 'Europe/Paris'
    order by started_at desc, id desc limit ${mostRuns}`.execute(db)
  const lines = await listLines(db, withinLimit(runs))
  return runs.map((run) => ({ ...run, lines: lines.get(run.id) ?? [] }))
}

function withinLimit(runs: LoggedRun[]): string[] {
  let left = mostLines
  const shown = runs.filter(({ lines_total }) => {
    left -= Math.min(lines_total, 1_000)
    return left >= 0
  })
  return shown.map(({ id }) => id)
}

async function listLines(db: Database, runIds: string[]): Promise<Map<string, LogLine[]>> {
  const { rows } = await sql<{ run_id: string; lines: LogLine[] }>`
    select run_id, lines from import_log where run_id = any(${runIds}::uuid[])
    order by run_id, first_line`.execute(db)
  const byRun = new Map<string, LogLine[]>()
  for (const { run_id, lines } of rows) byRun.set(run_id, [...(byRun.get(run_id) ?? []), ...lines])
  return byRun
}
