import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls(stage: Stage): RouteCalls {
  const { acteur, commune, admin, moderator, author, reader, noted, personal, secret, address, made } = stage
  const given = { message: secret, nom: secret, email: address, telephone: secret }
  return {
    'POST /claims': async () => {
      const { id } = await acteur()
      const kept = { message: personal, nom: personal, email: personal, telephone: personal }
      const after = { id: expect.any(String), acteur_id: id, user_id: author.id, status: 'pending', ...kept }
      return {
        by: author,
        path: '/claims',
        body: { acteur_id: id.toUpperCase(), ...given },
        rows: [{ ...noted('claim.create', null, after), entity: 'claim' }],
      }
    },
    'POST /claims?contact': async () => {
      const { id } = await acteur()
      const after = {
        id: expect.any(String),
        acteur_id: id,
        status: 'pending',
        message: personal,
      }
      return {
        by: reader,
        path: '/claims',
        body: { acteur_id: id, message: 'Je préside le club.' },
        rows: [{ ...noted('claim.create', null, after), entity: 'claim' }],
      }
    },
    'POST /registrations': async () => {
      const wanted = { nom: 'Pétanque', type: 'association', commune_id: (await commune()).id }
      const kept = { message: personal, nom: personal, email: personal, telephone: personal }
      const ids = { id: expect.any(String), acteur_id: expect.any(String) }
      const after = { ...ids, user_id: author.id, status: 'pending', ...kept }
      const added = { ...wanted, active: true, can_publish: false, valide: false, slug: expect.any(String) }
      return {
        by: author,
        path: '/registrations',
        body: { acteur: wanted, ...given },
        rows: [
          {
            ...noted('acteur.create', null, { ...added, id: expect.any(String) }),
            ...{ entity: 'acteur', entity_id: made },
          },
          { ...noted('claim.create', null, after), entity: 'claim', entity_id: made },
        ],
      }
    },
    'GET /me/claims': async () => ({ by: author, path: '/me/claims' }),
    'GET /admin/claims': async () => ({ by: admin, path: '/admin/claims?status=pending' }),
    'GET /admin/claims?q': async () => ({ by: admin, path: '/admin/claims?q=odile' }),
    'GET /admin/claims?reference': async () => ({ by: admin, path: '/admin/claims?q=K7QM2-X9RTB' }),
    'GET /admin/claims/{id}': async () => {
      const answer = await reader.client.post('/claims', { acteur_id: (await acteur()).id, ...given })
      return { by: moderator, path: `/admin/claims/${answer.body.data.id}` }
    },
    'POST /admin/claims/{id}/question': async () => {
      const answer = await reader.client.post('/claims', { acteur_id: (await acteur()).id, ...given })
      const id = answer.body.data.id
      const before = { asked_at: null, waits_until: null }
      const times = { asked_at: expect.any(String), waits_until: expect.any(String) }
      const after = { ...times, question_id: expect.any(String), question: personal }
      return {
        by: moderator,
        path: `/admin/claims/${id}/question`,
        body: { body: `Êtes-vous ${secret} ?` },
        rows: [{ ...noted('claim.question', before, after), entity: 'claim', entity_id: id }],
      }
    },
    'POST /admin/claims/{id}/resume': async () => {
      const answer = await reader.client.post('/claims', { acteur_id: (await acteur()).id, ...given })
      const id = answer.body.data.id
      await moderator.client.post(`/admin/claims/${id}/question`, { body: 'Qui préside le club ?' })
      const end = { waits_until: expect.any(String) }
      return {
        by: moderator,
        path: `/admin/claims/${id}/resume`,
        rows: [{ ...noted('claim.resume', end, end), entity: 'claim', entity_id: id }],
      }
    },
    'PATCH /admin/claims/{id}': async () => {
      const answer = await reader.client.post('/claims', { acteur_id: (await acteur()).id, ...given })
      const id = answer.body.data.id
      const before = { status: 'pending', reason: null, decided_by: null, ended_at: null }
      const after = { status: 'rejected', reason: personal, decided_by: moderator.id }
      return {
        by: moderator,
        path: `/admin/claims/${id}`,
        body: { status: 'rejected', reason: secret },
        rows: [
          {
            ...noted('claim.decide', before, { ...after, ended_at: expect.any(String) }),
            entity: 'claim',
            entity_id: id,
          },
        ],
      }
    },
  }
}
