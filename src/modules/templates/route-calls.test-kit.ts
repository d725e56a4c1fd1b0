import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

let number = 0

export function routeCalls({ acteur, admin, moderator, reader, noted, address }: Stage): RouteCalls {
  const fresh = () => ({ kind: 'claim', name: `Modèle ${++number}`, body: 'Bonjour {{nom}}, {{acteur}}' })
  const made = async () => (await admin.client.post('/admin/templates', fresh())).body.data
  const one = (id: string, change: ReturnType<typeof noted>) => [
    { ...change, entity: 'template', entity_id: id },
  ]
  return {
    'GET /admin/templates': async () => ({ by: moderator, path: '/admin/templates?kind=claim' }),
    'POST /admin/templates': async () => {
      const body = fresh()
      const after = { ...body, id: expect.any(String) }
      return {
        by: moderator,
        path: '/admin/templates',
        body,
        rows: [{ ...noted('template.create', null, after), entity: 'template' }],
      }
    },
    'GET /admin/templates/{id}': async () => ({
      by: moderator,
      path: `/admin/templates/${(await made()).id}`,
    }),
    'PATCH /admin/templates/{id}': async () => {
      const { id, body: before } = await made()
      const rows = one(id, noted('template.update', { body: before }, { body: 'Bonjour' }))
      return { by: admin, path: `/admin/templates/${id}`, body: { body: 'Bonjour' }, rows }
    },
    'DELETE /admin/templates/{id}': async () => {
      const { id } = await made()
      const rows = one(id, noted('template.delete', { deleted_at: null }, { deleted_at: expect.any(String) }))
      return { by: admin, path: `/admin/templates/${id}`, rows }
    },
    'POST /admin/templates/{id}/preview': async () => {
      const { id } = await made()
      const claim = { acteur_id: (await acteur()).id, message: 'Bonjour', email: address }
      const answer = await reader.client.post('/claims', claim)
      return { by: admin, path: `/admin/templates/${id}/preview`, body: { id: answer.body.data.id } }
    },
  }
}
