import { conflict } from '../../platform/errors.ts'
import type { Module } from '../../platform/module.ts'
import { appSource, appSourcesRoutes } from './app-sources.ts'
import { publicationType, publicationTypesRoutes } from './publication-types.ts'
import { searchTerm, searchTermConstraints, searchTermsRoutes } from './search-terms.ts'

export const reference = {
  name: 'reference',
  about: 'Publication types, the applications that may call, and terms of the search',
  routes: {
    admin: {
      area: 'reference',
      routes: (scope, deps) => {
        publicationTypesRoutes(scope, deps)
        appSourcesRoutes(scope, deps)
        searchTermsRoutes(scope, deps)
      },
    },
  },
  constraints: {
    ...{ publication_types_slug_key: conflict, app_sources_pkey: conflict },
    ...searchTermConstraints,
  },
  audited: [publicationType, appSource, searchTerm],
} satisfies Module
