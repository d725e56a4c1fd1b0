import type { Module } from '../../platform/module.ts'
import { publicationsConstraints } from './constraints.ts'
import { publicationsFigures } from './figures.ts'
import { listAdminRoutes } from './lists/routes.admin.ts'
import { listMairieRoutes } from './lists/routes.mairie.ts'
import { myRoutes } from './lists/routes.ts'
import { moderationAdminRoutes } from './moderation/routes.admin.ts'
import { moderationMairieRoutes } from './moderation/routes.mairie.ts'
import { moderationRoutes } from './moderation/routes.ts'
import { publicationsOfPerson, reportsOfPerson } from './personal.ts'
import { findNextChange } from './reading/queries.ts'
import { readingAdminRoutes } from './reading/routes.admin.ts'
import { readingRoutes } from './reading/routes.ts'
import { publication } from './record.ts'
import { reportAdminRoutes } from './reports/routes.admin.ts'
import { reportRoutes } from './reports/routes.ts'
import { deleteClosedReports } from './retention.ts'
import { writingMairieRoutes } from './writing/routes.mairie.ts'
import { writingRoutes } from './writing/routes.ts'

export const publications = {
  name: 'publications',
  about: 'What associations, shops and town halls publish',
  routes: {
    public: readingRoutes,
    publicWrites: reportRoutes,
    bearer: (scope, deps) => {
      writingRoutes(scope, deps)
      moderationRoutes(scope, deps)
      myRoutes(scope, deps)
    },
    mairie: [
      {
        of: 'acteurId',
        routes: (scope, deps) => {
          listMairieRoutes(scope, deps)
          writingMairieRoutes(scope, deps)
          moderationMairieRoutes(scope, deps)
        },
      },
    ],
    admin: {
      area: 'publications',
      routes: (scope, deps) => {
        listAdminRoutes(scope, deps)
        readingAdminRoutes(scope, deps)
        moderationAdminRoutes(scope, deps)
        reportAdminRoutes(scope, deps)
      },
    },
  },
  constraints: publicationsConstraints,
  audited: [publication],
  limits: { create: '60/hour', edit: '120/hour', report: '30/hour', moderate: '600/minute' },
  figures: publicationsFigures,
  changesByTime: { publications: findNextChange },
  personal: [publicationsOfPerson, reportsOfPerson],
  retention: [{ name: 'reports', months: 12, sweep: deleteClosedReports }],
} satisfies Module
