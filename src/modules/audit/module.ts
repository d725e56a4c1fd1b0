import { settingsOf } from '../../platform/config/config.ts'
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
  settingsOff: [
    {
      setting: 'AUDIT_KEY',
      isOff: (config) => settingsOf(config, sealSettings).keys.length === 0,
      effect: {
        en: 'The audit log is not sealed: a change of it in the database would not be noticed.',
        fr: 'Le journal d’audit n’est pas scellé : une modification en base passerait inaperçue.',
      },
      isAdvised: true,
      docs: 'operations.md#the-audit-log',
    },
  ],
  metrics: watchSeals,
  personal: [acts, accountHistory],
} satisfies Module
