import type { Module } from '../../platform/module.ts'
import { sweepHandler, sweepSchedule } from './jobs.ts'
import { presenceRoutes } from './routes.admin.ts'

export const presence = {
  name: 'presence',
  about: 'Which colleagues look at a record',
  routes: { office: presenceRoutes },
  jobs: (deps) => [sweepHandler(deps)],
  schedules: [sweepSchedule],
} satisfies Module
