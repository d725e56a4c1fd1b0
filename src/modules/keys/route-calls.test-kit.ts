import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ author, admin, secret, personal, noted, made }: Stage): RouteCalls {
  const key = () => ({ name: `Clé de ${secret}`, scopes: ['publication.read'] })
  const insert = async () => {
    const { body } = await author.client.post('/me/keys', key())
    return body.data.id as string
  }
  const row = (id: string, action: string, after: object) => ({
    entity: 'access_key',
    entity_id: id,
    ...noted(action, action === 'access_key.create' ? null : expect.anything(), after),
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
      return { by: author, path: '/me/keys', body: key(), rows: [row(made, 'access_key.create', after)] }
    },
    'POST /me/keys/{id}/rotate': async () => {
      const id = await insert()
      const after = { former_until: expect.any(String), rotated: true }
      return {
        by: author,
        path: `/me/keys/${id}/rotate`,
        rows: [{ ...row(id, 'access_key.rotate', after), before: { former_until: null, rotated: null } }],
      }
    },
    'DELETE /me/keys/{id}': async () => {
      const id = await insert()
      const ended = { ...row(id, 'access_key.end', { ended: true }), before: { ended: null } }
      return { by: author, path: `/me/keys/${id}`, rows: [ended] }
    },
    'GET /admin/users/{userId}/keys': async () => ({ by: admin, path: `/admin/users/${author.id}/keys` }),
    'DELETE /admin/users/{userId}/keys/{id}': async () => {
      const id = await insert()
      const ended = { ...row(id, 'access_key.end', { ended: true }), before: { ended: null } }
      return { by: admin, path: `/admin/users/${author.id}/keys/${id}`, rows: [ended] }
    },
  }
}
