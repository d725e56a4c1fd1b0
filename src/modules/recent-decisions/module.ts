import type { Module } from '../../platform/module.ts'
import { decisionsErrors } from './errors.ts'
import { decisionRules } from './permissions.ts'
import { deleteOldDecisions } from './retention.ts'
import { decisionsRoutes } from './routes.admin.ts'

export const decisions = {
  name: 'decisions',
  about: 'What colleagues decided lately, and its undoing',
  routes: { office: decisionsRoutes },
  permissions: Object.values(decisionRules),
  errors: decisionsErrors,
  retention: [{ name: 'decisions', months: 3, sweep: deleteOldDecisions }],
} satisfies Module
