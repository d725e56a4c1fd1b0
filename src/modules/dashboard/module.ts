import type { Module } from '../../platform/module.ts'
import { countsRoutes, dashboardAdminRoutes } from './routes.admin.ts'
import { keepDaysHandler, keepDaysSchedule } from './series.ts'

export const dashboard = {
  name: 'dashboard',
  about: 'Figures of the whole',
  routes: { admin: { area: 'dashboard', routes: dashboardAdminRoutes }, office: countsRoutes },
  jobs: { handlers: (deps) => [keepDaysHandler(deps)], schedules: [keepDaysSchedule] },
} satisfies Module
