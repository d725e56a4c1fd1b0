import type { Module } from '../../platform/module.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { defibrillateursErrors } from './errors.ts'
import { managingRoutes } from './managing/routes.admin.ts'
import { defibrillateur, defibrillateurSync } from './record.ts'
import { defibrillateursSearched } from './searched.ts'
import { defibrillateursSettings } from './settings.ts'
import { dailyHandler, dailySchedules } from './sync/daily.ts'
import { syncHandler } from './sync/jobs.ts'
import { syncRoutes } from './sync/routes.admin.ts'

export const defibrillateurs = {
  name: 'defibrillateurs',
  about: 'Defibrillators, as the national registry has them',
  routes: {
    public: catalogueRoutes,
    admin: {
      area: 'defibrillateurs',
      routes(scope, deps) {
        managingRoutes(scope, deps)
        syncRoutes(scope, deps)
      },
    },
  },
  errors: defibrillateursErrors,
  audited: [defibrillateur, defibrillateurSync],
  jobs: (deps) => [syncHandler(deps), dailyHandler(deps)],
  schedules: dailySchedules,
  settings: defibrillateursSettings,
  searched: [defibrillateursSearched],
} satisfies Module
