import { expect } from 'vitest'
import { publishText } from '../../../test/support/name-server.ts'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

let number = 0

export function routeCalls({ admin, commune, noted }: Stage): RouteCalls {
  const fresh = async () => ({ host: `appel-${++number}.test`, commune_id: (await commune()).id })
  const made = async () => (await admin.client.post('/admin/domains', await fresh())).body.data
  const one = (id: string, change: ReturnType<typeof noted>) => [
    { ...change, entity: 'domain', entity_id: id },
  ]
  return {
    'GET /admin/domains': async () => ({ by: admin, path: '/admin/domains?sort=created_at_desc' }),
    'GET /admin/domains?commune_id': async () => ({
      by: admin,
      path: `/admin/domains?commune_id=${(await made()).commune_id}`,
    }),
    'POST /admin/domains': async () => {
      const body = await fresh()
      const row = noted('domain.create', null, { ...body, id: expect.any(String), is_primary: false })
      return { by: admin, path: '/admin/domains', body, rows: [{ ...row, entity: 'domain' }] }
    },
    'GET /admin/domains/{id}': async () => ({ by: admin, path: `/admin/domains/${(await made()).id}` }),
    'PATCH /admin/domains/{id}': async () => {
      const { id, host } = await made()
      const body = { host: `autre-${++number}.test` }
      return {
        by: admin,
        path: `/admin/domains/${id}`,
        body,
        rows: one(id, noted('domain.update', { host }, body)),
      }
    },
    'POST /admin/domains/{id}/verify': async () => {
      const { id, host, token } = await made()
      publishText(`_parvis.${host}`, token)
      const after = { verified_at: expect.any(String) }
      return {
        by: admin,
        path: `/admin/domains/${id}/verify`,
        rows: one(id, noted('domain.verify', { verified_at: null }, after)),
      }
    },
    'POST /admin/domains/{id}/primary': async () => {
      const { id, host, token } = await made()
      publishText(`_parvis.${host}`, token)
      await admin.client.post(`/admin/domains/${id}/verify`)
      return {
        by: admin,
        path: `/admin/domains/${id}/primary`,
        rows: one(id, noted('domain.make_primary', { is_primary: false }, { is_primary: true })),
      }
    },
    'DELETE /admin/domains/{id}': async () => {
      const { id, host, commune_id } = await made()
      return {
        by: admin,
        path: `/admin/domains/${id}`,
        rows: one(id, noted('domain.delete', { id, host, commune_id, is_primary: false }, null)),
      }
    },
  }
}
