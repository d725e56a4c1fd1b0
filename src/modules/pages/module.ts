import { conflict, invalid, notFound } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import type { Module } from '../../platform/module.ts'
import { mairiePaths } from '../acteurs/mairies.ts'
import { slugTaken } from '../communes/errors.ts'
import { pagesErrors, tooManyPages } from './errors.ts'
import { readingRoutes } from './reading.ts'
import { page } from './record.ts'
import { pagesOfMairieRoutes } from './routes.mairie.ts'
import { wordPressRoutes } from './wordpress/routes.mairie.ts'

/** Maps database constraints to API errors. Writes of the service lock the commune, and are refused before. */
const pagesConstraints: ConstraintErrors = {
  commune_pages_commune: notFound,
  commune_pages_slug_key: slugTaken,
  commune_pages_position: tooManyPages,
  commune_pages_position_key: conflict,
  commune_pages_parent: () =>
    invalid('parent_id', {
      en: 'must be a page at the top of this commune',
      fr: 'doit être une page du premier niveau de cette commune',
    }),
}

export const pages = {
  name: 'pages',
  about: 'Pages that mairies write about life in their commune',
  routes: {
    public: readingRoutes,
    mairie: [
      { of: mairiePaths.commune, routes: pagesOfMairieRoutes },
      { of: mairiePaths.commune, routes: wordPressRoutes },
    ],
  },
  errors: pagesErrors,
  constraints: pagesConstraints,
  audited: [page],
} satisfies Module
