import { conflict } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import { lastAdmin } from './errors.ts'

/** Maps database constraints to API errors. */
export const usersConstraints: ConstraintErrors = { last_admin: lastAdmin, users_erased_whole: conflict }
