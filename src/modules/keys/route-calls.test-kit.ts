import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ author, admin, secret, personal, noted, made }: Stage): RouteCalls {
  const key = () => ({ name: `Clé de ${secret}`, scopes: ['publication.read'] })
  const insert = async () => {
    const { body } = await author.client.post('/me/keys', key())
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
        by: author,
        path: '/me/keys',
        body: key(),
        rows: [row(made, 'access_key.create', null, after)],
      }
    },
    'POST /me/keys/{id}/rotate': async () => {
      const id = await insert()
      const after = { former_until: expect.any(String), rotated: true }
      return {
        by: author,
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
