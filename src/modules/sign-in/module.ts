import { sql } from 'kysely'
import { auditedSession } from '../../platform/access/session-records.ts'
import type { Module } from '../../platform/module.ts'
import { deleteOf, findByUser, isOfUser, type Personal, rowsOf } from '../../platform/personal.ts'
import { formerAddressHandler, formerAddressMails } from './account/jobs.ts'
import { accountRoutes } from './account/routes.ts'
import { undoRoutes } from './account/undo.ts'
import { confirmationRoutes } from './confirmation.ts'
import { challengeMailHandler, challengeMails } from './email/jobs.ts'
import { emailRoutes } from './email/routes.ts'
import { signInErrors } from './errors.ts'
import { factorRoutes } from './factors/routes.ts'
import { factorSignInRoutes } from './factors/sign-in.ts'
import { answeredInvitations, invitationHandler, invitationMails, signInAdminRoutes } from './invitations.ts'
import { methodRoutes } from './methods.ts'
import { signInCounters, watchSignIns } from './metrics.ts'
import { oidcRoutes } from './oidc/routes.ts'
import { oidcSettings } from './oidc/settings.ts'
import { signInRules } from './permissions.ts'
import { deleteOldHandler, deleteOldSchedule, deviceMails, newDeviceHandler } from './sessions/jobs.ts'
import { deviceRoutes } from './sessions/routes.ts'

const deleted = { en: 'Deleted.', fr: 'Suppression complète.' }

const mailsOfPerson: Personal = {
  name: 'email_challenges',
  title: { en: 'Sign-in mails', fr: 'Courriels de connexion' },
  erasure: deleted,
  kind: null,
  find: findByUser('email_challenges'),
  read: rowsOf('email_challenges', sql`purpose, address, created_at, expires_at, closed_at`),
  // Another account may have asked to change to the person's address.
  erase: deleteOf(
    'email_challenges',
    (person) => sql`(${isOfUser()(person)} or lower(address collate "C") = any(${person.emails}::text[]))`,
  ),
}

const addressChangesOfPerson: Personal = {
  name: 'address_changes',
  title: { en: 'Changes of address', fr: 'Changements d’adresse' },
  erasure: deleted,
  kind: null,
  find: findByUser('address_changes'),
  read: rowsOf('address_changes', sql`former_address, changed_at`),
  // Another account may have had the person's address before.
  erase: deleteOf(
    'address_changes',
    (person) =>
      sql`(${isOfUser()(person)} or lower(former_address collate "C") = any(${person.emails}::text[]))`,
  ),
}

const sessionsOfPerson: Personal = {
  name: 'sessions',
  title: { en: 'Sessions and devices', fr: 'Sessions et appareils' },
  erasure: deleted,
  kind: null,
  find: findByUser('sessions'),
  read: rowsOf('sessions', sql`method, network, browser, created_at, last_seen_at, expires_at, ended_at`),
  erase: deleteOf('sessions'),
}

/** The export omits the secret of the app and the digests of recovery codes: they allow signing in. */
const totpOfPerson: Personal = {
  name: 'totp_factors',
  title: { en: 'Authentication apps', fr: 'Applications d’authentification' },
  erasure: deleted,
  kind: null,
  find: findByUser('totp_factors', { id: 'user_id' }),
  read: rowsOf('totp_factors', sql`created_at, confirmed_at`, isOfUser(), 'user_id'),
  erase: deleteOf('totp_factors', isOfUser(), 'user_id'),
}

const passkeysOfPerson: Personal = {
  name: 'passkeys',
  title: { en: 'Passkeys', fr: 'Clés d’accès' },
  erasure: deleted,
  kind: null,
  find: findByUser('passkeys'),
  read: rowsOf('passkeys', sql`label, transports, created_at, last_used_at`),
  erase: deleteOf('passkeys'),
}

const recoveryCodesOfPerson: Personal = {
  name: 'recovery_codes',
  title: { en: 'Recovery codes', fr: 'Codes de secours' },
  erasure: deleted,
  kind: null,
  find: findByUser('recovery_codes'),
  read: rowsOf('recovery_codes', sql`created_at, used_at`),
  erase: deleteOf('recovery_codes'),
}

export const signIn = {
  name: 'sign-in',
  about: 'Signing in from a browser, sessions and devices',
  routes: {
    signIn: (scope, deps) => {
      methodRoutes(scope, deps)
      emailRoutes(scope, deps)
      factorSignInRoutes(scope, deps)
      confirmationRoutes(scope, deps)
      undoRoutes(scope, deps)
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
  jobs: {
    handlers: (deps) => [
      challengeMailHandler(deps),
      newDeviceHandler(deps),
      invitationHandler(deps),
      formerAddressHandler(deps),
      deleteOldHandler(deps),
    ],
    schedules: [deleteOldSchedule],
  },
  settings: {
    own: oidcSettings,
    limits: { sign_in: '20/hour', sign_in_mails: '6/hour', sign_in_mails_network: '3/hour' },
  },
  metrics: { counters: signInCounters, watch: watchSignIns },
  office: {
    answered: [answeredInvitations],
    mails: [challengeMails, invitationMails, formerAddressMails, deviceMails],
  },
  // Challenges refer to sessions, so they are erased first.
  personal: [
    mailsOfPerson,
    addressChangesOfPerson,
    sessionsOfPerson,
    totpOfPerson,
    passkeysOfPerson,
    recoveryCodesOfPerson,
  ],
} satisfies Module
