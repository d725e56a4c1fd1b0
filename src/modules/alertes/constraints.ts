import { notFound } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'

/** Maps database constraints to API errors. */
export const alertesConstraints: ConstraintErrors = {
  // The commune or the mairie was deleted while the request was running.
  alertes_commune: notFound,
  alertes_acteur: notFound,
}
