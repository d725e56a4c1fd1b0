import { invalid } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'

/** What the database refuses, as the API says it. */
export const messagesConstraints: ConstraintErrors = {
  support_threads_commune: () =>
    invalid('commune_id', { en: 'is not a commune that is there', fr: "n'est pas une commune existante" }),
}
