import { invalid } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'

/** What the database refuses, as the API says it. */
export const publicationsConstraints: ConstraintErrors = {
  publications_type: () =>
    invalid('type_id', { en: 'must be a publication type', fr: 'doit être un type de publication' }),
  publications_dates_order: () =>
    invalid('date_fin', { en: 'must not be before date_debut', fr: 'ne doit pas précéder date_debut' }),
}
