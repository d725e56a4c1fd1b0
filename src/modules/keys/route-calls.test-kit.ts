import { expect } from 'vitest'
import type { Actor, RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { openSession } from '../../../test/support/sessions.ts'

export function routeCalls({ db, author, client, admin, secret, personal, noted, made }: Stage): RouteCalls {
  const key = () => ({ name: `Clé de ${secret}`, scopes: ['publication.read'] })
  /** The author without a token: keys are made in a session. */
  const person: Actor = { ...author, client: client({ source: author.source }) }
  const inSession = async () => {
    const { headers } = await openSession(db, author.id, { hasShownFactor: true })
    return { by: person, headers }
  }
  const insert = async () => {
    const { by, headers } = await inSession()
    const { body } = await by.client.post('/me/keys', key(), { headers })
    return body.data.id as string
  }
  const row = (id: string, action: string, before: object | null, after: object) => ({
    entity: 'access_key',
    entity_id: id,
    ...noted(action, before, after),
  })
  return {
    'GET /me/keys': async () => ({ by: author, path: '/me/keys' }),
    'POST /me/keys': async () => {
      const after = {
        id: expect.any(String),
        name: personal,
        scopes: ['publication.read'],
        user_id: author.id,
        expires_at: expect.any(String),
      }
      return {
        ...(await inSession()),
        path: '/me/keys',
        body: key(),
        rows: [row(made, 'access_key.create', null, after)],
      }
    },
    'POST /me/keys/{id}/rotate': async () => {
      const id = await insert()
      const after = { former_until: expect.any(String), rotated: true }
      return {
        ...(await inSession()),
        path: `/me/keys/${id}/rotate`,
        rows: [row(id, 'access_key.rotate', { former_until: null }, after)],
      }
    },
    'DELETE /me/keys/{id}': async () => {
      const id = await insert()
      const ended = row(id, 'access_key.end', null, { ended: true })
      return { by: author, path: `/me/keys/${id}`, rows: [ended] }
    },
    'GET /admin/users/{userId}/keys': async () => ({ by: admin, path: `/admin/users/${author.id}/keys` }),
    'DELETE /admin/users/{userId}/keys/{id}': async () => {
      const id = await insert()
      const ended = row(id, 'access_key.end', null, { ended: true })
      return { by: admin, path: `/admin/users/${author.id}/keys/${id}`, rows: [ended] }
    },
  }
}
