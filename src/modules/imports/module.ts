import type { Module } from '../../platform/module.ts'
import { allRunsRoutes } from './all-runs.ts'
import { beforeSavingRoutes } from './before-saving.ts'
import { decidingJobs } from './bulk-decisions.ts'
import { importsConstraints } from './constraints.ts'
import { importsErrors } from './errors.ts'
import { decideHeldHandler } from './held/jobs.ts'
import { heldRoutes } from './held/routes.ts'
import { historyRoutes } from './history.ts'
import { importRun, importSource } from './record.ts'
import { deleteOldRuns } from './retention.ts'
import { runHandler } from './run/jobs.ts'
import { runRoutes } from './run/routes.ts'
import { tickHandler, tickSchedule } from './schedule.ts'
import { sourcesSearchSource } from './search-source.ts'
import { importsSettings } from './settings.ts'
import { deleteHistoryHandler } from './sources/jobs.ts'
import { sourceRoutes } from './sources/routes.ts'
import { runsWaiting, runsWatched } from './waiting.ts'
import { withdrawHandler } from './withdraw/jobs.ts'
import { withdrawRoutes } from './withdraw/routes.ts'

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
  jobs: (deps) => [
    runHandler(deps),
    tickHandler(deps),
    deleteHistoryHandler(deps),
    withdrawHandler(deps),
    decideHeldHandler(deps),
  ],
  authoredJobs: Object.values(decidingJobs),
  schedules: [tickSchedule],
  settings: importsSettings,
  retention: [{ name: 'runs', months: 6, sweep: deleteOldRuns }],
  waiting: [runsWaiting],
  watched: [runsWatched],
  searchSources: [sourcesSearchSource],
} satisfies Module
