import type { Module } from '../../platform/module.ts'
import { mairiePaths } from '../acteurs/mairies.ts'
import { proposingRoutes } from './pdf/routes.mairie.ts'
import { collecteRules } from './permissions.ts'
import { collecteImport } from './record.ts'
import { collectesOfGroupRoutes } from './routes.mairie.ts'
import { sweepHandler, sweepSchedule } from './sweep.ts'

export const collectes = {
  name: 'collectes',
  about: 'Waste collections of the communes of a group or a mairie, replaced from a file',
  routes: {
    mairie: [
      { of: mairiePaths.publicBody, routes: collectesOfGroupRoutes },
      { of: mairiePaths.publicBody, routes: proposingRoutes },
    ],
  },
  permissions: Object.values(collecteRules),
  audited: [collecteImport],
  jobs: { handlers: (deps) => [sweepHandler(deps)], schedules: [sweepSchedule] },
} satisfies Module
