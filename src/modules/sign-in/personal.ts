import { sql } from 'kysely'
import { deleteOf, findByUser, isOfUser, type Personal, rowsOf } from '../../platform/personal.ts'

const deleted = { en: 'Deleted.', fr: 'Suppression complète.' }

export const mailsOfPerson: Personal = {
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

export const sessionsOfPerson: Personal = {
  name: 'sessions',
  title: { en: 'Sessions and devices', fr: 'Sessions et appareils' },
  erasure: deleted,
  kind: null,
  find: findByUser('sessions'),
  read: rowsOf('sessions', sql`method, network, browser, created_at, last_seen_at, expires_at, ended_at`),
  erase: deleteOf('sessions'),
}

/** The export omits the secret of the app and the digests of recovery codes: they allow signing in. */
export const totpOfPerson: Personal = {
  name: 'totp_factors',
  title: { en: 'Authentication apps', fr: 'Applications d’authentification' },
  erasure: deleted,
  kind: null,
  find: findByUser('totp_factors', { id: 'user_id' }),
  read: rowsOf('totp_factors', sql`created_at, confirmed_at`, isOfUser(), 'user_id'),
  erase: deleteOf('totp_factors', isOfUser(), 'user_id'),
}

export const passkeysOfPerson: Personal = {
  name: 'passkeys',
  title: { en: 'Passkeys', fr: 'Clés d’accès' },
  erasure: deleted,
  kind: null,
  find: findByUser('passkeys'),
  read: rowsOf('passkeys', sql`label, transports, created_at, last_used_at`),
  erase: deleteOf('passkeys'),
}

export const recoveryCodesOfPerson: Personal = {
  name: 'recovery_codes',
  title: { en: 'Recovery codes', fr: 'Codes de secours' },
  erasure: deleted,
  kind: null,
  find: findByUser('recovery_codes'),
  read: rowsOf('recovery_codes', sql`created_at, used_at`),
  erase: deleteOf('recovery_codes'),
}
