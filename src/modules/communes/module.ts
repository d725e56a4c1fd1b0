import type { Module } from '../../platform/module.ts'
import { mairiePaths } from '../acteurs/mairies.ts'
import { countingHandler, countingSchedule } from './activity/counting.ts'
import { activityRoutes } from './activity/listing.ts'
import { listingRoutes } from './admin-list.ts'
import { communesConstraints } from './constraints.ts'
import { commune } from './editing/record.ts'
import { editingRoutes } from './editing/routes.admin.ts'
import { communeOfMairieRoutes } from './editing/routes.mairie.ts'
import { communesErrors } from './errors.ts'
import { communeRules } from './permissions.ts'
import { previewingOfMairieRoutes, previewingRoutes } from './previewing.ts'
import { provenanceRoutes } from './provenance.ts'
import { readingRoutes } from './reading.ts'
import { communesSearchSource } from './search-source.ts'
import { secteur } from './secteurs/record.ts'
import { secteursOfMairieRoutes } from './secteurs/routes.mairie.ts'

export const communes = {
  name: 'communes',
  about: 'Communes, their élus, waste collections and practical information',
  routes: {
    public(scope, deps) {
      readingRoutes(scope, deps)
      provenanceRoutes(scope, deps)
    },
    mairie: [
      {
        of: mairiePaths.commune,
        routes(scope, deps) {
          communeOfMairieRoutes(scope, deps)
          previewingOfMairieRoutes(scope, deps)
          secteursOfMairieRoutes(scope, deps)
        },
      },
    ],
    admin: {
      area: 'communes',
      routes(scope, deps) {
        listingRoutes(scope, deps)
        activityRoutes(scope, deps)
        editingRoutes(scope, deps)
        previewingRoutes(scope, deps)
      },
    },
  },
  permissions: Object.values(communeRules),
  errors: communesErrors,
  constraints: communesConstraints,
  audited: [commune, secteur],
  jobs: { handlers: (deps) => [countingHandler(deps)], schedules: [countingSchedule] },
  office: { searchSources: [communesSearchSource] },
} satisfies Module
