import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import { claimConflict } from './errors.ts'

/** Maps database constraints to API errors. */
export const claimsConstraints: ConstraintErrors = {
  claims_one_pending_anonymous: claimConflict,
  claims_one_pending_signed_in: claimConflict,
}
