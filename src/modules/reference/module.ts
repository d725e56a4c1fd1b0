import { conflict } from '../../platform/errors.ts'
import type { Module } from '../../platform/module.ts'
import { appSource, appSourcesRoutes } from './app-sources.ts'
import { publicationType, publicationTypesRoutes } from './publication-types.ts'

export const reference = {
  name: 'reference',
  about: 'Publication types, and the applications that may call',
  routes: {
    admin: {
      area: 'reference',
      routes: (scope, deps) => {
        publicationTypesRoutes(scope, deps)
        appSourcesRoutes(scope, deps)
      },
    },
  },
  constraints: { publication_types_slug_key: conflict, app_sources_pkey: conflict },
  audited: [publicationType, appSource],
} satisfies Module
