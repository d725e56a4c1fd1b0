import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import { claimConflict } from './errors.ts'

/** What the database refuses, as the API says it. */
export const claimsConstraints: ConstraintErrors = { claims_one_pending: claimConflict }
