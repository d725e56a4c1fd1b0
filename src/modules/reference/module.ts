import { conflict, conflictOf } from '../../platform/errors.ts'
import type { Module } from '../../platform/module.ts'
import { appSource, appSourcesRoutes } from './app-sources.ts'
import { publicationType, publicationTypesRoutes } from './publication-types.ts'
import { searchTerm, searchTermConstraints, searchTermsRoutes } from './search-terms.ts'

/** A group that an application shows cannot be deleted: the application would show everything. */
const shownByApplication = () =>
  conflictOf({
    en: 'an application shows this group: change the application first',
    fr: 'une application montre ce groupement : modifiez d’abord l’application',
  })

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
    ...{
      publication_types_slug_key: conflict,
      app_sources_pkey: conflict,
      app_sources_group: shownByApplication,
    },
    ...searchTermConstraints,
  },
  audited: [publicationType, appSource, searchTerm],
} satisfies Module
