import { conflict } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'
import { lastAdmin } from './errors.ts'

/** What the database refuses, as the API says it. */
export const usersConstraints: ConstraintErrors = { last_admin: lastAdmin, users_erased_whole: conflict }
