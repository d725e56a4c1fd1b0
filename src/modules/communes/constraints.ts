import { conflict, invalid } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import { slugTaken } from './errors.ts'

/** What the database refuses, as the API says it. */
export const communesConstraints: ConstraintErrors = {
  communes_slug_key: slugTaken,
  communes_code_insee_key: conflict,
  communes_mairie: () =>
    invalid('mairie_actor_id', {
      en: 'must be an acteur of type mairie',
      fr: 'doit être un acteur de type mairie',
    }),
  communes_coordinates: () =>
    invalid('latitude', { en: 'goes with a longitude', fr: 'va avec une longitude' }),
  collectes_anchor: () =>
    invalid('collectes', {
      en: 'every n weeks needs a_partir_du',
      fr: 'toutes les n semaines demande a_partir_du',
    }),
}
