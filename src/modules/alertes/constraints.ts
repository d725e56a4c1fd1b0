import { notFound } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'

/** The errors that violated constraints stand for. */
export const alertesConstraints: ConstraintErrors = {
  // The commune or the mairie was deleted while the request was running.
  alertes_commune: notFound,
  alertes_acteur: notFound,
}
