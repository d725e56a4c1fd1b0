import type { Module } from '../../platform/module.ts'
import { communesConstraints } from './constraints.ts'
import { commune } from './editing/record.ts'
import { editingRoutes } from './editing/routes.admin.ts'
import { communesErrors } from './errors.ts'
import { readingRoutes } from './reading/routes.ts'

export const communes = {
  name: 'communes',
  about: 'Communes, their élus, waste collections and practical information',
  routes: { public: readingRoutes, admin: { area: 'communes', routes: editingRoutes } },
  errors: communesErrors,
  constraints: communesConstraints,
  audited: [commune],
} satisfies Module
