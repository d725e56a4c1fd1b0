import { notFound } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'

/** What the database refuses, as the API says it. */
export const alertesConstraints: ConstraintErrors = {
  // The commune or the mairie went away while the request was under way.
  alertes_commune: notFound,
  alertes_acteur: notFound,
}
