import type { Module } from '../../platform/module.ts'
import { claimsConstraints } from './constraints.ts'
import { decideClaimRoutes } from './decide/routes.ts'
import { claimsErrors } from './errors.ts'
import { expireHandler, expireSchedule } from './expire/jobs.ts'
import { ownClaimsRoutes } from './own/routes.ts'
import { claimsOfPerson } from './personal.ts'
import { claim } from './record.ts'
import { pseudonymiseClaims } from './retention.ts'
import { claimsSettings } from './settings.ts'
import { submitClaimRoutes } from './submit/routes.ts'
import { decisionMails, tellClaimantHandler } from './tell/jobs.ts'

export const claims = {
  name: 'claims',
  about: 'Demands to take over an acteur',
  routes: {
    publicWrites: submitClaimRoutes,
    bearer: ownClaimsRoutes,
    admin: { area: 'claims', routes: decideClaimRoutes },
  },
  errors: claimsErrors,
  constraints: claimsConstraints,
  audited: [claim],
  jobs: (deps) => [expireHandler(deps), tellClaimantHandler(deps)],
  schedules: [expireSchedule],
  mails: [decisionMails],
  limits: { claim: '20/hour' },
  settings: claimsSettings,
  personal: [claimsOfPerson],
  retention: [{ name: 'claims', months: 24, sweep: pseudonymiseClaims }],
} satisfies Module
