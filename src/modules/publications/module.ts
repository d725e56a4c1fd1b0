import type { Module } from '../../platform/module.ts'
import { publicationKind, reportKind } from './audited.ts'
import { publicationsConstraints } from './constraints.ts'
import { publicationsFigures } from './figures.ts'
import { deleteClosedReports } from './retention.ts'
import { publicationsAdminRoutes } from './routes.admin.ts'
import { publicationsBearerRoutes } from './routes.bearer.ts'
import { publicationsMairieRoutes } from './routes.mairie.ts'
import { publicationsPublicRoutes } from './routes.public.ts'
import { publicationsReportRoutes } from './routes.reports.ts'

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
