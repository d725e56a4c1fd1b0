import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { columnList, columnsOf, jsonTime } from '../../platform/database/columns.ts'
import { among, equals, flag } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId } from '../../platform/database/sort-order.ts'
import { invalid, notFound, raise } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { List } from '../../platform/http/listing/list.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { idsQuery, listQuery, several, sortQuery } from '../../platform/http/listing/paging.ts'
import {
  DateOnly,
  Id,
  oneOf,
  ResponseTimestamp,
  record,
  textOrNull,
  titled,
} from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { isRealDay } from '../../platform/time/days.ts'
import { ById, Run, runStatuses } from './schema.ts'

export const RunsQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['started_at'], 'started_at_desc'),
  ids: idsQuery,
  status: several(oneOf(runStatuses), 'In one of these states, separated by commas'),
  dry_run: several(Type.Boolean(), 'Dry runs, or real ones'),
})
export type RunsQuery = Static<typeof RunsQuery>

/** The date is validated after the source is found: a bad one is a 422, not a 404. */
const ByDay = Type.Object({
  id: Id('Identifier of the import source'),
  date: Type.String({ description: 'A day in Paris, as in 2026-11-20', examples: ['2026-11-20'] }),
})

export const LogLine = titled('ImportLogLine', {
  at: Type.Unsafe<string>(ResponseTimestamp()),
  level: oneOf(['info', 'warning', 'error'] as const),
  message: Type.String({ examples: ['created'] }),
  external_id: textOrNull('urn:uuid:42', 'The item that it is about'),
})
export type LogLine = Static<typeof LogLine>

const LoggedRun = titled('ImportLoggedRun', {
  ...Run.properties,
  lines: Type.Array(LogLine, { description: 'The first 1 000' }),
  lines_total: Type.Integer({ description: 'All of its lines, also those not shown', examples: [1] }),
})
type LoggedRun = Static<typeof LoggedRun>

const DayLog = titled('ImportDayLog', {
  date: DateOnly(),
  runs: Type.Array(LoggedRun, { description: 'Newest first' }),
})

const ByRun = Type.Object({
  id: Id('Identifier of the import source'),
  runId: Id('Identifier of the run'),
})

export function historyRoutes(scope: SignedInScope, { reads, lists }: Deps): void {
  scope.get(
    '/admin/import-sources/:id/runs',
    {
      schema: {
        operationId: 'listImportRuns',
        summary: 'Runs of an import source, dry ones too, newest first',
        params: ById,
        querystring: RunsQuery,
        response: { 200: ListPage(Run) },
      },
    },
    async ({ params, query }) => {
      const [answer] = await Promise.all([
        listPage(lists, runsList, { ...query, source_id: params.id }),
        requireSource(lists, params.id),
      ])
      return answer
    },
  )

  scope.get(
    '/admin/import-sources/:id/runs/:runId',
    {
      schema: {
        operationId: 'getImportRun',
        summary: 'Read a run of an import source',
        params: ByRun,
        response: { 200: record(Run) },
      },
    },
    async ({ params: { id, runId } }) => ({ data: await getRun(reads, id, runId) }),
  )

  scope.get(
    '/admin/import-sources/:id/logs/:date',
    {
      config: { refusals: ['validation_failed'] },
      schema: {
        operationId: 'readImportLog',
        summary: 'Read what the runs of one day in Paris did, item by item',
        params: ByDay,
        response: { 200: record(DayLog) },
      },
    },
    async ({ params: { id, date } }) => {
      await requireSource(reads, id)
      if (!isRealDay(date)) throw invalid('date', noDay)
      const runs = await listRunsOfDay(reads, id, date)
      if (runs.length === 0) throw notFound()
      return { data: { date, runs } }
    },
  )
}

const noDay = { en: 'must be a day, as in 2026-11-20', fr: 'doit être un jour, comme 2026-11-20' }

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
async function getRun(db: Database, sourceId: string, runId: string): Promise<Run> {
  const { rows } = await sql<Run>`
    select ${columnList(Run.properties, 'r')} from import_runs r
    join import_sources s on s.id = r.source_id and s.deleted_at is null
    where r.id = ${runId} and r.source_id = ${sourceId}`.execute(db)
  return rows[0] ?? raise(notFound())
}

async function requireSource(db: Database, id: string): Promise<void> {
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
