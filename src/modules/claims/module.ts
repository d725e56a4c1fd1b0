import type { Module } from '../../platform/module.ts'
import { claimKind } from './audited.ts'
import { claimsConstraints } from './constraints.ts'
import { claimsErrors } from './errors.ts'
import { claimsHandlers, claimsSchedules } from './jobs.ts'
import { pseudonymiseClaims } from './retention.ts'
import { claimsAdminRoutes } from './routes.admin.ts'
import { claimsPublicRoutes } from './routes.public.ts'
import { claimsSettings } from './settings.ts'

export const claims = {
  name: 'claims',
  about: 'Demands to take over an acteur',
  routes: { publicWrites: claimsPublicRoutes, admin: { area: 'claims', routes: claimsAdminRoutes } },
  errors: claimsErrors,
  constraints: claimsConstraints,
  audited: [claimKind],
  jobs: claimsHandlers,
  schedules: claimsSchedules,
  limits: { claim: '20/hour' },
  settings: claimsSettings,
  retention: [{ name: 'claims', months: 24, sweep: pseudonymiseClaims }],
} satisfies Module
