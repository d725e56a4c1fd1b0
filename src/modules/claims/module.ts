import type { Module } from '../../platform/module.ts'
import { claimsConstraints } from './constraints.ts'
import { decideClaimRoutes } from './decide/routes.ts'
import { claimsErrors } from './errors.ts'
import { expireHandler, expireSchedule } from './expire.ts'
import { movePendingClaims } from './merging.ts'
import { decisionMails, notifyClaimantHandler } from './notify.ts'
import { ownClaimsRoutes } from './own.ts'
import { claimRules } from './permissions.ts'
import { claimsOfPerson } from './personal.ts'
import { questionHandler, questionMails } from './question/jobs.ts'
import { questionRoutes } from './question/routes.ts'
import { readClaimRoutes } from './reading.ts'
import { claim } from './record.ts'
import { pseudonymiseClaims } from './retention.ts'
import { claimsSearchSource } from './search-source.ts'
import { claimsSettings } from './settings.ts'
import { submitClaimRoutes } from './submit/routes.ts'
import { undoClaims } from './undo/rules.ts'
import { claimsDaily, claimsWaiting } from './waiting.ts'

export const claims = {
  name: 'claims',
  about: 'Demands to take over an acteur',
  routes: {
    publicWrites: submitClaimRoutes,
    bearer: ownClaimsRoutes,
    admin: {
      area: 'claims',
      routes(scope, deps) {
        readClaimRoutes(scope, deps)
        decideClaimRoutes(scope, deps)
        questionRoutes(scope, deps)
      },
    },
  },
  permissions: Object.values(claimRules),
  errors: claimsErrors,
  constraints: claimsConstraints,
  audited: [claim],
  jobs: (deps) => [expireHandler(deps), notifyClaimantHandler(deps), questionHandler(deps)],
  schedules: [expireSchedule],
  movesOnMerge: [movePendingClaims],
  mails: [decisionMails, questionMails],
  undoes: { claim: undoClaims },
  limits: { claim: '20/hour' },
  settings: claimsSettings,
  personal: [claimsOfPerson],
  retention: [{ name: 'claims', months: 24, sweep: pseudonymiseClaims }],
  daily: claimsDaily,
  waiting: [claimsWaiting],
  searchSources: [claimsSearchSource],
} satisfies Module
