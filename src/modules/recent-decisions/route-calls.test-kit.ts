import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls({ moderator, author, club, reader, acteur, noted }: Stage): RouteCalls {
  async function decided() {
    const content = { title: 'Fête de la pomme', body: 'Pressage sur la place.', acteur_id: club.id }
    const { id } = (await author.client.post('/publications', content)).body.data
    const publish = { moderation_status: 'published' }
    const answer = await moderator.client.patch(`/admin/publications/${id}/moderate`, publish)
    return { id, decision_id: answer.body.data.decision_id as string }
  }
  return {
    'GET /admin/decisions': async () => {
      await decided()
      return { by: moderator, path: '/admin/decisions' }
    },
    'POST /admin/decisions/{id}/undo': async () => {
      const { id, decision_id } = await decided()
      const pending = {
        moderation_status: 'pending',
        valide: false,
        publie_le: null,
        decided_centrally: false,
      }
      const published = {
        moderation_status: 'published',
        valide: true,
        publie_le: expect.any(String),
        decided_centrally: true,
      }
      const row = noted('publication.undo', published, { ...pending, decision_id })
      return {
        by: moderator,
        path: `/admin/decisions/${decision_id}/undo`,
        rows: [{ ...row, entity: 'publication', entity_id: id }],
      }
    },
    'POST /admin/decisions/{id}/undo?claim': async () => {
      const claim = { acteur_id: (await acteur()).id, message: 'Bonjour', telephone: '01 99 00 12 34' }
      const { id } = (await reader.client.post('/claims', claim)).body.data
      const answer = await moderator.client.patch(`/admin/claims/${id}`, { status: 'rejected' })
      const { decision_id } = answer.body.data
      const rejected = { status: 'rejected', decided_by: moderator.id, ended_at: expect.any(String) }
      const pending = { status: 'pending', decided_by: null, ended_at: null, decision_id }
      return {
        by: moderator,
        path: `/admin/decisions/${decision_id}/undo`,
        rows: [{ ...noted('claim.undo', rejected, pending), entity: 'claim', entity_id: id }],
      }
    },
  }
}
