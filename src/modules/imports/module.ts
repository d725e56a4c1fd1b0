import type { Module } from '../../platform/module.ts'
import { importsConstraints } from './constraints.ts'
import { importsErrors } from './errors.ts'
import { historyRoutes } from './history/routes.ts'
import { importRun, importSource } from './record.ts'
import { deleteOldRuns } from './retention.ts'
import { runHandler } from './run/jobs.ts'
import { runRoutes } from './run/routes.ts'
import { tickHandler, tickSchedule } from './schedule/jobs.ts'
import { sourcesSearched } from './searched.ts'
import { importsSettings } from './settings.ts'
import { clearAwayHandler } from './sources/jobs.ts'
import { sourceRoutes } from './sources/routes.ts'
import { runsWaiting } from './waiting.ts'
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
        runRoutes(scope, deps)
        historyRoutes(scope, deps)
        withdrawRoutes(scope, deps)
      },
    },
  },
  errors: importsErrors,
  constraints: importsConstraints,
  audited: [importSource, importRun],
  jobs: (deps) => [runHandler(deps), tickHandler(deps), clearAwayHandler(deps), withdrawHandler(deps)],
  schedules: [tickSchedule],
  settings: importsSettings,
  retention: [{ name: 'runs', months: 6, sweep: deleteOldRuns }],
  waiting: [runsWaiting],
  searched: [sourcesSearched],
} satisfies Module
