import { auditedSession } from '../../platform/access/session-records.ts'
import type { Module } from '../../platform/module.ts'
import { formerAddressHandler } from './account/jobs.ts'
import { accountRoutes } from './account/routes.ts'
import { confirmationRoutes } from './confirmation.ts'
import { challengeMailHandler } from './email/jobs.ts'
import { emailRoutes } from './email/routes.ts'
import { signInErrors } from './errors.ts'
import { factorRoutes, factorSignInRoutes } from './factors/routes.ts'
import { invitationHandler, signInAdminRoutes } from './invitations.ts'

import { methodRoutes } from './methods.ts'
import { signInCounters, watchSignIns } from './metrics.ts'
import { oidcRoutes } from './oidc/routes.ts'
import { oidcSettings } from './oidc/settings.ts'
import { signInRules } from './permissions.ts'
import {
  mailsOfPerson,
  passkeysOfPerson,
  recoveryCodesOfPerson,
  sessionsOfPerson,
  totpOfPerson,
} from './personal.ts'
import { deleteOldHandler, deleteOldSchedule, newDeviceHandler } from './sessions/jobs.ts'
import { deviceRoutes } from './sessions/routes.ts'

export const signIn = {
  name: 'sign-in',
  about: 'Signing in from a browser, sessions and devices',
  routes: {
    signIn: (scope, deps) => {
      methodRoutes(scope, deps)
      emailRoutes(scope, deps)
      factorSignInRoutes(scope, deps)
      confirmationRoutes(scope, deps)
    },
    navigation: oidcRoutes,
    bearer: (scope, deps) => {
      deviceRoutes(scope, deps)
      factorRoutes(scope, deps)
      accountRoutes(scope, deps)
    },
    admin: { area: 'users', routes: signInAdminRoutes },
  },
  permissions: Object.values(signInRules),
  errors: signInErrors,
  audited: [auditedSession],
  jobs: (deps) => [
    challengeMailHandler(deps),
    newDeviceHandler(deps),
    invitationHandler(deps),
    formerAddressHandler(deps),
    deleteOldHandler(deps),
  ],
  schedules: [deleteOldSchedule],
  limits: { sign_in: '20/hour', sign_in_mails: '6/hour', sign_in_mails_network: '3/hour' },
  settings: oidcSettings,
  counters: signInCounters,
  metrics: watchSignIns,
  // Challenges refer to sessions, so they are erased first.
  personal: [mailsOfPerson, sessionsOfPerson, totpOfPerson, passkeysOfPerson, recoveryCodesOfPerson],
} satisfies Module
