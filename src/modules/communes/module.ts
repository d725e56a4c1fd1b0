import type { Module } from '../../platform/module.ts'
import { communeKind } from './audited.ts'
import { communesConstraints } from './constraints.ts'
import { communesErrors } from './errors.ts'
import { communesAdminRoutes } from './routes.admin.ts'
import { communesPublicRoutes } from './routes.public.ts'

export const communes = {
  name: 'communes',
  about: 'Communes, their élus, waste collections and practical information',
  routes: { public: communesPublicRoutes, admin: { area: 'communes', routes: communesAdminRoutes } },
  errors: communesErrors,
  constraints: communesConstraints,
  audited: [communeKind],
} satisfies Module
