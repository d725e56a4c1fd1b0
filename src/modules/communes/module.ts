import type { Module } from '../../platform/module.ts'
import { listingRoutes } from './admin-list.ts'
import { communesConstraints } from './constraints.ts'
import { commune } from './editing/record.ts'
import { editingRoutes } from './editing/routes.admin.ts'
import { communesErrors } from './errors.ts'
import { previewingRoutes } from './previewing.ts'
import { readingRoutes } from './reading.ts'
import { communesSearchSource } from './search-source.ts'

export const communes = {
  name: 'communes',
  about: 'Communes, their élus, waste collections and practical information',
  routes: {
    public: readingRoutes,
    admin: {
      area: 'communes',
      routes(scope, deps) {
        listingRoutes(scope, deps)
        editingRoutes(scope, deps)
        previewingRoutes(scope, deps)
      },
    },
  },
  errors: communesErrors,
  constraints: communesConstraints,
  audited: [commune],
  searchSources: [communesSearchSource],
} satisfies Module
