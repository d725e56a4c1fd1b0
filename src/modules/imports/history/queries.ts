import { sql } from 'kysely'
import { columnList, columnsOf, jsonTime } from '../../../platform/database/columns.ts'
import { among, equals, flag } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { byId } from '../../../platform/database/sort-order.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { List } from '../../../platform/http/listing/list.ts'
import { Run } from '../schema.ts'
import type { LoggedRun, LogLine, RunsQuery } from './schema.ts'

/** Builds the response JSON of a row of `import_runs r`. */
export const runJson = sql`json_build_object(${sql.join(
  columnsOf(Run.properties).flatMap((name) => [
    sql.lit(name),
    name.endsWith('_at') ? jsonTime(sql.ref(`r.${name}`)) : sql.ref(`r.${name}`),
  ]),
)})`

/** The runs of a source. */
export const runsList: List<RunsQuery & { source_id: string }, Run> = {
  name: 'import-runs',
  from: sql`import_runs`,
  as: 'import_runs',
  filters: {
    source_id: equals('source_id'),
    ids: among('id'),
    status: among('status'),
    dry_run: flag('dry_run'),
  },
  sorts: { started_at: [{ by: sql`started_at`, type: 'time' }, byId] },
  defaults: { sort: 'started_at_desc' },
  columns: sql<Run>`${columnList(Run.properties)}`,
}

/** Reads a run; 404 if it belongs to another source, or if its source was deleted. */
export async function getRun(db: Database, sourceId: string, runId: string): Promise<Run> {
  const { rows } = await sql<Run>`
    select ${columnList(Run.properties, 'r')} from import_runs r
    join import_sources s on s.id = r.source_id and s.deleted_at is null
    where r.id = ${runId} and r.source_id = ${sourceId}`.execute(db)
  return rows[0] ?? raise(notFound())
}

export async function requireSource(db: Database, id: string): Promise<void> {
  const { rows } = await sql`select from import_sources where id = ${id} and deleted_at is null`.execute(db)
  if (rows.length === 0) raise(notFound())
}

/** Limits the response if a source runs often in a day; `lines_total` also counts the omitted lines. */
const maxRuns = 1_500
const maxLines = 20_000

/** Lists the runs that began on a day in Paris, newest first, with their lines. */
export async function listRunsOfDay(db: Database, sourceId: string, date: string): Promise<LoggedRun[]> {
  const { rows: runs } = await sql<LoggedRun>`
    select ${columnList(Run.properties)}, lines_total from import_runs
    where source_id = ${sourceId} and started_at >= ${date}::date::timestamp at time zone 'Europe/Paris'
      and started_at < (${date}::date + 1)::timestamp at time zone 'Europe/Paris'
    order by started_at desc, id desc limit ${maxRuns}`.execute(db)
  const lines = await listLines(db, withinLimit(runs))
  return runs.map((run) => ({ ...run, lines: lines.get(run.id) ?? [] }))
}

function withinLimit(runs: LoggedRun[]): string[] {
  let left = maxLines
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
