import { deletionAfterMonths } from '../../platform/jobs/sweeps.ts'
import type { Module } from '../../platform/module.ts'
import { decisionsErrors } from './errors.ts'
import { decisionRules } from './permissions.ts'
import { decisionsRoutes } from './routes.admin.ts'

/** Deletes old decisions, which stay in the audit log. */
export const deleteOldDecisions = deletionAfterMonths('decisions', 'decided_at')

export const decisions = {
  name: 'decisions',
  about: 'What colleagues decided lately, and its undoing',
  routes: { office: decisionsRoutes },
  permissions: Object.values(decisionRules),
  errors: decisionsErrors,
  retention: [{ name: 'decisions', months: 3, sweep: deleteOldDecisions }],
} satisfies Module
