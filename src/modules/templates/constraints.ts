import { conflict } from '../../platform/errors.ts'
import type { ConstraintErrors } from '../../platform/http/error-handler.ts'

/** Maps database constraints to API errors. */
export const templatesConstraints: ConstraintErrors = { reply_templates_name: conflict }
