import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

let number = 0

export function routeCalls({ admin, moderator, reader, noted }: Stage): RouteCalls {
  const fresh = () => ({ code: `motif-${++number}`, label: 'Bruit', text: 'Trop de bruit.', kind: 'rule' })
  const made = async () => (await admin.client.post('/admin/grounds', fresh())).body.data
  const one = (id: string, change: ReturnType<typeof noted>) => [
    { ...change, entity: 'ground', entity_id: id },
  ]
  return {
    'GET /grounds': async () => ({ by: reader, path: '/grounds' }),
    'GET /admin/grounds': async () => ({ by: moderator, path: '/admin/grounds' }),
    'POST /admin/grounds': async () => {
      const body = fresh()
      const after = { ...body, id: expect.any(String), active: true }
      return {
        by: moderator,
        path: '/admin/grounds',
        body,
        rows: [{ ...noted('ground.create', null, after), entity: 'ground' }],
      }
    },
    'GET /admin/grounds/{id}': async () => ({ by: moderator, path: `/admin/grounds/${(await made()).id}` }),
    'PATCH /admin/grounds/{id}': async () => {
      const { id, text } = await made()
      const rows = one(id, noted('ground.update', { text }, { text: 'Du bruit.' }))
      return { by: admin, path: `/admin/grounds/${id}`, body: { text: 'Du bruit.' }, rows }
    },
    'DELETE /admin/grounds/{id}': async () => {
      const { id } = await made()
      const rows = one(id, noted('ground.delete', { deleted_at: null }, { deleted_at: expect.any(String) }))
      return { by: admin, path: `/admin/grounds/${id}`, rows }
    },
  }
}
