import { invalid } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'

/** Maps database constraints to API errors. */
export const acteursConstraints: ConstraintErrors = {
  acteurs_commune: () =>
    invalid('commune_id', { en: 'is not an existing commune', fr: 'n’est pas une commune existante' }),
}
