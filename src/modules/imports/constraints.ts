import { invalid } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import { importInProgress } from './errors.ts'

/** Maps database constraints to API errors. */
export const importsConstraints: ConstraintErrors = {
  import_runs_one_at_a_time: importInProgress,
  import_sources_commune: () =>
    invalid('commune_id', { en: 'must be an existing commune', fr: 'doit être une commune existante' }),
  import_sources_type_id: () =>
    invalid('type_id', { en: 'must be a publication type', fr: 'doit être un type de publication' }),
}
