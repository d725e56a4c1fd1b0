import { sql } from 'kysely'
import { beginsName } from '../../platform/database/search.ts'
import { invalid } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import type { Handler } from '../../platform/jobs/job.ts'
import { handleRow } from '../../platform/jobs/rows.ts'
import type { Deps, Module, Waiting, WatchedRows } from '../../platform/module.ts'
import { byWord, maxFound, type SearchSource } from '../../platform/search-source.ts'
import { allRunsRoutes } from './all-runs.ts'
import { beforeSavingRoutes } from './before-saving.ts'
import { decidingJobs } from './bulk-decisions.ts'
import { importInProgress, importsErrors } from './errors.ts'
import { decideHeldHandler, heldRoutes } from './held.ts'
import { historyRoutes } from './history.ts'
import { importRun, importSource } from './record.ts'
import { deleteOldRuns } from './retention.ts'
import { runImport } from './run/queue.ts'
import { readingOf } from './run/reading.ts'
import { runRoutes } from './run/routes.ts'
import { doRun, giveUpRun } from './run/rules.ts'
import { tickHandler, tickSchedule } from './schedule.ts'
import { importsSettings } from './settings.ts'
import { deleteHistoryHandler } from './sources/jobs.ts'
import { sourceRoutes } from './sources/routes.ts'
import { withdrawHandler, withdrawRoutes } from './withdraw.ts'

export function runHandler({ db, jobs, log, config }: Deps): Handler {
  const reading = readingOf(config)
  return handleRow(runImport, {
    attempt: ({ runId }, { signal }) => doRun({ db, jobs, log }, runId, { ...reading, signal }),
    async giveUp({ runId }, error) {
      log.error({ err: error, run_id: runId }, 'an import failed for good')
      await giveUpRun({ db, jobs }, runId)
    },
  })
}

/** Counts the sources whose latest run failed; `oldest_at` is the oldest of these runs. */
const runsWaiting: Waiting = {
  key: 'runs',
  area: 'import-sources',
  rows: () => sql`
    select count(*) as count, min(r.finished_at) as oldest_at
    from import_sources s left join lateral (
      select finished_at from import_runs
      where source_id = s.id and not dry_run order by started_at desc, id desc limit 1) r on true
    where s.failures > 0 and s.deleted_at is null`,
}

/** Changes when a run is queued, begins, imports a batch or ends: schedules and jobs write no audit entry. */
const runsWatched: WatchedRows = {
  topics: ['runs'],
  state: sql`
    select concat_ws(' ', (select max(finished_at) from import_runs where finished_at is not null),
      (select concat_ws(' ', count(*), max(alive_at)) from import_runs where status in ('queued', 'running')))`,
}

const sourcesSearchSource: SearchSource = {
  kind: 'import_source',
  shown: sql`
    select s.nom as label, s.url as detail from import_sources s where s.id = found.id and s.deleted_at is null`,
  ways: (q) => [
    {
      ids: sql`
        select id from import_sources where ${beginsName(sql`search_text`, q, ' ')} and deleted_at is null
        order by search_text, id limit ${sql.lit(maxFound)}`,
    },
    ...byWord('import_sources', q, sql<boolean>`deleted_at is null`),
  ],
}

/** Maps database constraints to API errors. */
const importsConstraints: ConstraintErrors = {
  import_runs_one_at_a_time: importInProgress,
  import_sources_commune: () =>
    invalid('commune_id', { en: 'must be an existing commune', fr: 'doit être une commune existante' }),
  import_sources_type_id: () =>
    invalid('type_id', { en: 'must be a publication type', fr: 'doit être un type de publication' }),
}

export const imports = {
  name: 'imports',
  about: 'Feeds of others that become publications',
  routes: {
    admin: {
      area: 'import-sources',
      routes: (scope, deps) => {
        sourceRoutes(scope, deps)
        beforeSavingRoutes(scope, deps)
        runRoutes(scope, deps)
        historyRoutes(scope, deps)
        allRunsRoutes(scope, deps)
        heldRoutes(scope, deps)
        withdrawRoutes(scope, deps)
      },
    },
  },
  errors: importsErrors,
  constraints: importsConstraints,
  audited: [importSource, importRun],
  jobs: {
    handlers: (deps) => [
      runHandler(deps),
      tickHandler(deps),
      deleteHistoryHandler(deps),
      withdrawHandler(deps),
      decideHeldHandler(deps),
    ],
    schedules: [tickSchedule],
    authored: Object.values(decidingJobs),
  },
  settings: { own: importsSettings },
  retention: [{ name: 'runs', months: 6, sweep: deleteOldRuns }],
  office: { waiting: [runsWaiting], watched: [runsWatched], searchSources: [sourcesSearchSource] },
} satisfies Module
