import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({
  acteur,
  moderator,
  reader,
  noted,
  personal,
  secret,
  address,
}: Stage): RouteCalls {
  const claimOfHers = async () => {
    const claim = { acteur_id: (await acteur()).id, message: secret, nom: secret, email: address }
    return (await reader.client.post('/claims', claim)).body.data.id as string
  }
  const body = `Rappeler ${secret}`
  return {
    'GET /admin/notes': async () => ({
      by: moderator,
      path: `/admin/notes?kind=claim&id=${await claimOfHers()}`,
    }),
    'POST /admin/notes': async () => {
      const id = await claimOfHers()
      const after = {
        kind: 'claim',
        record_id: id,
        body: personal,
        created_by: moderator.id,
        id: expect.any(String),
      }
      return {
        by: moderator,
        path: '/admin/notes',
        body: { kind: 'claim', id, body },
        rows: [{ ...noted('note.create', null, after), entity: 'note' }],
      }
    },
    'GET /admin/notes/{id}': async () => {
      const note = { kind: 'claim', id: await claimOfHers(), body }
      const made = await moderator.client.post('/admin/notes', note)
      return { by: moderator, path: `/admin/notes/${made.body.data.id}` }
    },
    'DELETE /admin/notes/{id}': async () => {
      const record_id = await claimOfHers()
      const made = await moderator.client.post('/admin/notes', { kind: 'claim', id: record_id, body })
      const { id } = made.body.data
      const before = { id, kind: 'claim', record_id, body: personal, created_by: moderator.id }
      return {
        by: moderator,
        path: `/admin/notes/${id}`,
        rows: [{ ...noted('note.delete', before, null), entity: 'note', entity_id: id }],
      }
    },
  }
}
