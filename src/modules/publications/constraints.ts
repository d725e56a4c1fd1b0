import { invalid } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'

/** Maps database constraints to API errors. */
export const publicationsConstraints: ConstraintErrors = {
  publications_type: () =>
    invalid('type_id', { en: 'must be a publication type', fr: 'doit être un type de publication' }),
  publications_dates_order: () =>
    invalid('date_fin', {
      en: 'must not be before the first day',
      fr: 'ne doit pas précéder le premier jour',
    }),
  publications_lieu_coordinates: () =>
    invalid('lieu.latitude', {
      en: 'must be given together with longitude',
      fr: 'doit être donnée avec longitude',
    }),
  publications_heure_debut_day: () =>
    invalid('heure_debut', { en: 'needs a first day', fr: 'demande un premier jour' }),
  publications_heure_fin_start: () =>
    invalid('heure_fin', { en: 'needs a start time', fr: 'demande une heure de début' }),
  publications_heures_order: () =>
    invalid('heure_fin', {
      en: 'must be after the start time, unless the last day is a later one',
      fr: 'doit suivre l’heure de début, sauf si le dernier jour est plus tard',
    }),
}
