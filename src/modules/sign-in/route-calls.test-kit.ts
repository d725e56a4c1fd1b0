import { expect } from 'vitest'
import type { Actor, RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { openSession } from '../../../test/support/sessions.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { insertCodeChallenge } from './confirmation.ts'
import { insertOperatorLink } from './email/queries.ts'
import { putPasskey, putTotp, secrets, softAuthenticator, totpOf } from './sign-in.test-kit.ts'

export function routeCalls({
  author,
  admin,
  user,
  client,
  db,
  noted,
  address,
  made,
  personal,
  secret,
}: Stage): RouteCalls {
  /** The author as an actor without a token. */
  const person: Actor = { ...author, client: client({ source: author.source }) }
  const ofSession = (id: string, action: string, after: object, userId = author.id) => ({
    entity: 'session',
    entity_id: id,
    ...noted(action, null, { user_id: userId, ...after }),
  })
  const ofUser = (action: string, after: object, id = author.id) => ({
    entity: 'user',
    entity_id: id,
    ...noted(action, null, after),
  })
  /** Creates a user with an authenticator app, and returns it as an actor without a token. */
  async function holder() {
    const { id } = await user()
    return { id, actor: { ...person, id }, base32: await putTotp(db, id) }
  }
  return {
    'GET /auth/methods': async () => ({ by: person, path: '/auth/methods' }),
    'GET /auth/session': async () => ({ by: person, path: '/auth/session' }),
    // No audit entry: the response reveals nothing about any account.
    'POST /auth/email': async () => ({ by: person, path: '/auth/email', body: { email: address }, rows: [] }),
    'POST /auth/email/verify': async () => {
      const id = uuidv7()
      await insertOperatorLink(db, { id, userId: author.id })
      const rows = [ofSession(made, 'session.create', { method: 'operator' })]
      return { by: person, path: '/auth/email/verify', body: { token: secrets.linkToken(id) }, rows }
    },
    'POST /auth/logout': async () => {
      const { id, headers } = await openSession(db, author.id)
      const rows = [ofSession(id, 'session.end', { reason: 'signed_out' })]
      return { by: person, path: '/auth/logout', headers, rows }
    },
    'POST /auth/second-factor': async () => {
      const { id: userId, actor, base32 } = await holder()
      const { id, headers } = await openSession(db, userId)
      const rows = [ofSession(id, 'session.second_factor', { second_factor: true }, userId)]
      return { by: actor, path: '/auth/second-factor', headers, body: { totp: totpOf(base32) }, rows }
    },
    'POST /auth/passkey/options': async () => ({ by: person, path: '/auth/passkey/options', rows: [] }),
    'POST /auth/passkey/verify': async () => {
      const { id } = await user()
      const passkey = await softAuthenticator.signIn(await putPasskey(db, id))
      const rows = [ofSession(made, 'session.create', { method: 'passkey' }, id)]
      return { by: { ...person, id }, path: '/auth/passkey/verify', body: { passkey }, rows }
    },
    'POST /auth/confirm/email': async () => {
      const { headers } = await openSession(db, author.id)
      return { by: person, path: '/auth/confirm/email', headers, rows: [] }
    },
    'POST /auth/confirm': async () => {
      const { id, headers } = await openSession(db, author.id)
      const challenge = uuidv7()
      const mail = { id: challenge, purpose: 'confirmation', userId: author.id, sessionId: id } as const
      await insertCodeChallenge(db, mail)
      const rows = [ofSession(id, 'session.confirm', { confirmed: true })]
      return { by: person, path: '/auth/confirm', headers, body: { code: secrets.code(challenge) }, rows }
    },
    'POST /auth/address/undo': async () => {
      const id = uuidv7()
      const { id: userId } = await user()
      const former = { id, user_id: userId, former_address: `${id}@example.org`, began_at: new Date() }
      await db.insertInto('address_changes').values(former).execute()
      const changed = { email: personal, subject: personal }
      const rows = [{ ...ofUser('', {}, userId), ...noted('user.address_undo', changed, changed) }]
      const body = { token: secrets.undoToken(id) }
      return { by: { ...person, id: userId }, path: '/auth/address/undo', body, rows }
    },
    'GET /me/sessions': async () => ({ by: author, path: '/me/sessions' }),
    'DELETE /me/sessions': async () => {
      await db.deleteFrom('sessions').where('user_id', '=', author.id).execute()
      const { id } = await openSession(db, author.id)
      const rows = [ofSession(id, 'session.end', { reason: 'others' })]
      return { by: author, path: '/me/sessions', rows }
    },
    'DELETE /me/sessions/{id}': async () => {
      const { id } = await openSession(db, author.id)
      const rows = [ofSession(id, 'session.end', { reason: 'signed_out' })]
      return { by: author, path: `/me/sessions/${id}`, rows }
    },
    'PATCH /me': async () => {
      const row = noted('user.update', { nom: null }, { nom: personal })
      await db.updateTable('users').set({ nom: null }).where('id', '=', author.id).execute()
      return { by: author, path: '/me', body: { nom: secret }, rows: [{ ...ofUser('', {}), ...row }] }
    },
    'POST /me/email': async () => {
      // Only an account that its address names can change it.
      const email = `${uuidv7()}@example.org`
      const { id } = await user({ email, subject: email })
      const { headers } = await openSession(db, id)
      return { by: { ...person, id }, path: '/me/email', body: { email: address }, headers, rows: [] }
    },
    'POST /me/email/verify': async () => {
      const challenge = uuidv7()
      // A user of its own: the change of address invalidates its earlier tokens.
      const { id, token } = await user()
      const by = { id, source: 'public', client: client({ source: 'public', token }) }
      const mail = { id: challenge, purpose: 'address', userId: id, sessionId: null } as const
      await insertCodeChallenge(db, { ...mail, address: `${challenge}@example.org` })
      const changed = { email: personal, subject: personal }
      const rows = [{ ...ofUser('', {}, id), ...noted('user.address', changed, changed) }]
      return { by, path: '/me/email/verify', body: { code: secrets.code(challenge) }, rows }
    },
    'GET /me/factors': async () => ({ by: author, path: '/me/factors' }),
    'POST /me/totp': async () => ({ by: author, path: '/me/totp', rows: [] }),
    'POST /me/totp/confirm': async () => {
      const base32 = await putTotp(db, author.id, { pending: true })
      const rows = [ofUser('user.factor_add', { factor: 'totp' })]
      return { by: author, path: '/me/totp/confirm', body: { totp: totpOf(base32) }, rows }
    },
    'POST /me/recovery-codes': async () => {
      await putTotp(db, author.id)
      const rows = [ofUser('user.factor_add', { factor: 'recovery_codes', count: 10 })]
      return { by: author, path: '/me/recovery-codes', rows }
    },
    'POST /me/passkeys/options': async () => ({ by: author, path: '/me/passkeys/options', rows: [] }),
    'POST /me/passkeys': async () => {
      const passkey = await softAuthenticator.register(author.id)
      const rows = [ofUser('user.factor_add', { factor: 'passkey' })]
      return { by: author, path: '/me/passkeys', body: { passkey, label: 'Téléphone' }, rows }
    },
    'DELETE /me/passkeys/{id}': async () => {
      const { id } = await putPasskey(db, author.id)
      const rows = [ofUser('user.factor_remove', { factor: 'passkey' })]
      return { by: author, path: `/me/passkeys/${id}`, rows }
    },
    'DELETE /me/totp': async () => {
      await putTotp(db, author.id)
      await putPasskey(db, author.id)
      const rows = [ofUser('user.factor_remove', { factor: 'totp' })]
      return { by: author, path: '/me/totp', rows }
    },
    'POST /admin/users': async () => {
      const email = `${uuidv7()}.vauquelin@example.org`
      const after = { email: personal, nom: personal, actif: true, email_verified: false, acteurs: [] }
      const rows = [
        {
          entity: 'user',
          ...noted('user.invite', null, { ...after, id: expect.any(String), roles: ['support'] }),
        },
      ]
      return { by: admin, path: '/admin/users', body: { email, nom: secret, roles: ['support'] }, rows }
    },
    'GET /admin/users/{userId}/sessions': async () => ({
      by: admin,
      path: `/admin/users/${author.id}/sessions`,
    }),
    'DELETE /admin/users/{userId}/sessions': async () => {
      const { id } = await user()
      const session = await openSession(db, id)
      const rows = [ofSession(session.id, 'session.end', { reason: 'administrator' }, id)]
      return { by: admin, path: `/admin/users/${id}/sessions`, rows }
    },
    'POST /admin/users/{userId}/factors/reset': async () => {
      const { id } = await user()
      await putTotp(db, id)
      const removed = { totp: 1, passkeys: 0, recovery_codes: 0 }
      const rows = [ofUser('user.factors_reset', { removed }, id)]
      return { by: admin, path: `/admin/users/${id}/factors/reset`, rows }
    },
  }
}
