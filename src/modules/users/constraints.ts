import { lastAdmin } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'

/** What the database refuses, as the API says it. */
export const usersConstraints: ConstraintErrors = { last_admin: lastAdmin }
