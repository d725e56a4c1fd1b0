import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

let number = 0

export function routeCalls({ admin, commune, noted, reader }: Stage): RouteCalls {
  const made = async () => {
    const body = { nom: `Groupe ${++number}`, kind: 'autre', commune_ids: [(await commune()).id] }
    return (await admin.client.post('/admin/groups', body)).body.data
  }
  const one = (id: string, change: ReturnType<typeof noted>) => [
    { ...change, entity: 'group', entity_id: id },
  ]
  const named = ({ nom, code_insee }: { nom: string; code_insee: string }) => `${nom} (${code_insee})`
  return {
    'GET /groups': async () => ({ by: reader, path: '/groups?q=groupe&kind=autre' }),
    'GET /groups?commune_id': async () => {
      const [member] = (await made()).communes
      return { by: reader, path: `/groups?commune_id=${member.id}` }
    },
    'GET /groups/{idOrSlug}': async () => ({ by: reader, path: `/groups/${(await made()).slug}` }),
    'GET /admin/groups': async () => ({ by: admin, path: '/admin/groups?kind=epci' }),
    'GET /admin/groups?q': async () => ({ by: admin, path: '/admin/groups?q=groupe&sort=created_at_desc' }),
    'GET /admin/groups?commune_id': async () => {
      const [member] = (await made()).communes
      return { by: admin, path: `/admin/groups?commune_id=${member.id}` }
    },
    'POST /admin/groups': async () => {
      const member = await commune()
      const body = { nom: `Syndicat ${++number}`, kind: 'syndicat' }
      const after = { ...body, id: expect.any(String), slug: `syndicat-${number}` }
      const row = noted('group.create', null, { ...after, communes_added: [expect.any(String)] })
      return {
        by: admin,
        path: '/admin/groups',
        body: { ...body, commune_ids: [member.id] },
        rows: [{ ...row, entity: 'group' }],
      }
    },
    'GET /admin/groups/{id}': async () => ({ by: admin, path: `/admin/groups/${(await made()).id}` }),
    'PATCH /admin/groups/{id}': async () => {
      const { id, nom, communes } = await made()
      const after = { nom: 'Autre nom', communes_removed: communes.map(named) }
      return {
        by: admin,
        path: `/admin/groups/${id}`,
        body: { nom: 'Autre nom', commune_ids: [] },
        rows: one(id, noted('group.update', { nom }, after)),
      }
    },
    'DELETE /admin/groups/{id}': async () => {
      const { id, nom, slug, kind, communes } = await made()
      const before = { id, nom, slug, kind, communes_removed: communes.map(named) }
      return {
        by: admin,
        path: `/admin/groups/${id}`,
        rows: one(id, noted('group.delete', before, null)),
      }
    },
  }
}
