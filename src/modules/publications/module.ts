import type { Module } from '../../platform/module.ts'
import { publicationsConstraints } from './constraints.ts'
import { publicationsFigures } from './figures.ts'
import { publicationsMairieRoutes } from './lists/routes.mairie.ts'
import { publicationsAdminRoutes } from './moderation/routes.admin.ts'
import { publicationsPublicRoutes } from './reading/routes.ts'
import { publicationKind, reportKind } from './record.ts'
import { publicationsReportRoutes } from './reports/routes.ts'
import { deleteClosedReports } from './retention.ts'
import { publicationsBearerRoutes } from './writing/routes.ts'

export const publications = {
  name: 'publications',
  about: 'What associations, shops and town halls publish',
  routes: {
    public: publicationsPublicRoutes,
    publicWrites: publicationsReportRoutes,
    bearer: publicationsBearerRoutes,
    mairie: [{ of: 'acteurId', routes: publicationsMairieRoutes }],
    admin: { area: 'publications', routes: publicationsAdminRoutes },
  },
  constraints: publicationsConstraints,
  audited: [publicationKind, reportKind],
  limits: { create: '60/hour', report: '30/hour', moderate: '600/minute' },
  figures: publicationsFigures,
  retention: [{ name: 'reports', months: 12, sweep: deleteClosedReports }],
} satisfies Module
