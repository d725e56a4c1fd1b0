import type { Module } from '../../platform/module.ts'
import { accountHistory, acts } from './personal.ts'
import { auditAdminRoutes } from './routes.admin.ts'
import { sealHandlers, sealSchedules } from './seals/jobs.ts'
import { watchSeals } from './seals/metrics.ts'
import { sealSettings } from './seals/settings.ts'

export const audit = {
  name: 'audit',
  about: 'Who changed what, when',
  routes: { admin: { area: 'audit', routes: auditAdminRoutes } },
  jobs: sealHandlers,
  schedules: sealSchedules,
  settings: sealSettings,
  metrics: watchSeals,
  personal: [acts, accountHistory],
} satisfies Module
