import { invalid } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'

/** Maps database constraints to API errors. */
export const publicationsConstraints: ConstraintErrors = {
  publications_type: () =>
    invalid('type_id', { en: 'must be a publication type', fr: 'doit être un type de publication' }),
  publications_dates_order: () =>
    invalid('date_fin', { en: 'must not be before date_debut', fr: 'ne doit pas précéder date_debut' }),
  publications_heure_debut_day: () =>
    invalid('heure_debut', { en: 'needs date_debut', fr: 'demande date_debut' }),
  publications_heure_fin_start: () =>
    invalid('heure_fin', { en: 'needs heure_debut', fr: 'demande heure_debut' }),
  publications_heures_order: () =>
    invalid('heure_fin', {
      en: 'must be after heure_debut, unless date_fin is a later day',
      fr: 'doit suivre heure_debut, à moins que date_fin soit un jour suivant',
    }),
}
