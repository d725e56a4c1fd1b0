import { conflict, invalid } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import { slugTaken } from './errors.ts'

/** Maps database constraints to API errors. */
export const communesConstraints: ConstraintErrors = {
  communes_slug_key: slugTaken,
  communes_code_insee_key: conflict,
  communes_mairie: () =>
    invalid('mairie_actor_id', {
      en: 'must be an acteur of type mairie',
      fr: 'doit être un acteur de type mairie',
    }),
  communes_coordinates: () =>
    invalid('latitude', {
      en: 'must be given together with longitude',
      fr: 'doit être donnée avec longitude',
    }),
  collectes_rang_weekday: () =>
    invalid('collectes', {
      en: 'must have one weekday, and weeks that are not counted, where they have rang',
      fr: 'doivent avoir un seul jour, sans compter les semaines, si elles ont rang',
    }),
  collectes_anchor: () =>
    invalid('collectes', {
      en: 'must have a_partir_du where they are not weekly',
      fr: 'doivent avoir a_partir_du si elles ne sont pas hebdomadaires',
    }),
}
