import type { Module } from '../../platform/module.ts'
import { alertesConstraints } from './constraints.ts'
import { alerteRules } from './permissions.ts'
import { alertesOfPerson } from './personal.ts'
import { findNextChange } from './queries.ts'
import { alerte } from './record.ts'
import { findDueHandler, reminderMails, reminderSchedule, remindHandler } from './remind.ts'
import { alertesAdminRoutes } from './routes.admin.ts'
import { alertesOfActeurRoutes, alertesOfCommuneRoutes } from './routes.mairie.ts'
import { alertesInForceRoutes } from './routes.ts'

export const alertes = {
  name: 'alertes',
  about: 'Municipal alerts (provisional)',
  routes: {
    public: alertesInForceRoutes,
    mairie: [
      { of: 'communeId', routes: alertesOfCommuneRoutes },
      { of: 'acteurId', routes: alertesOfActeurRoutes },
    ],
    admin: { area: 'alertes', routes: alertesAdminRoutes },
  },
  permissions: Object.values(alerteRules),
  constraints: alertesConstraints,
  audited: [alerte],
  jobs: (deps) => [findDueHandler(deps), remindHandler(deps)],
  schedules: [reminderSchedule],
  mails: [reminderMails],
  limits: { alert: '60/hour' },
  changesByTime: { alertes: { with: ['alertes'], find: findNextChange } },
  personal: [alertesOfPerson],
} satisfies Module
