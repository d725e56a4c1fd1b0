import { expect } from 'vitest'
import type { RouteCalls, Stage } from '../../../test/support/route-calls.ts'

export function routeCalls(stage: Stage): RouteCalls {
  const { acteur, admin, reader, club, noted, personal, secret, address } = stage
  const on =
    (path: string, body: object | undefined, row: ReturnType<typeof noted>, values = {}) =>
    async () => {
      const { id } = await acteur(values)
      const rows = [{ entity: 'acteur', entity_id: id, ...row }]
      return { by: admin, path: `/admin/acteurs/${id}${path}`, ...(body && { body }), rows }
    }
  const created = { nom: 'Pétanque', telephone: personal, email: personal, site_web: personal }
  const site = { site_web: `https://club.example/${encodeURIComponent(secret)}` }
  return {
    'GET /acteurs/{idOrSlug}': async () => ({ by: reader, path: `/acteurs/${club.id}` }),
    'GET /acteurs/{idOrSlug}?slug': async () => ({ by: reader, path: `/acteurs/${club.slug}` }),
    'GET /communes/{communeId}/acteurs': async () => ({
      by: reader,
      path: `/communes/${club.commune_id}/acteurs`,
    }),
    'GET /communes/{communeId}/acteurs?q': async () => ({
      by: reader,
      path: `/communes/${club.commune_id}/acteurs?q=petanque&type=association`,
    }),
    'GET /admin/acteurs/{id}/record': async () => ({
      by: admin,
      path: `/admin/acteurs/${(await acteur()).id}/record`,
    }),
    'GET /admin/acteurs': async () => ({ by: admin, path: '/admin/acteurs' }),
    'GET /admin/acteurs?badge': async () => ({
      by: admin,
      path: '/admin/acteurs?badge=Or&can_publish=true',
    }),
    'GET /admin/acteurs?q': async () => ({ by: admin, path: '/admin/acteurs?q=petanque' }),
    'GET /admin/acteurs/{id}': async () => ({ by: admin, path: `/admin/acteurs/${club.id}` }),
    'POST /admin/acteurs': async () => ({
      by: admin,
      path: '/admin/acteurs',
      body: {
        nom: 'Pétanque',
        type: 'association',
        telephone: secret,
        email: address,
        adresse: secret,
        ...site,
      },
      rows: [{ ...noted('acteur.create', null, expect.objectContaining(created)), entity: 'acteur' }],
    }),
    'PATCH /admin/acteurs/{id}': on(
      '',
      { nom: 'Boule', telephone: secret },
      noted('acteur.update', { nom: 'Pétanque', telephone: null }, { nom: 'Boule', telephone: personal }),
      { nom: 'Pétanque' },
    ),
    'PATCH /admin/acteurs/bulk': async () => {
      const ids = [(await acteur()).id, (await acteur()).id]
      const decided = noted('acteur.validate', { valide: false }, { valide: true })
      return {
        by: admin,
        path: '/admin/acteurs/bulk',
        body: { ids, validate: true },
        rows: ids.map((entity_id) => ({ ...decided, entity: 'acteur', entity_id })),
      }
    },
    'PATCH /admin/acteurs/bulk?active': async () => {
      const ids = [(await acteur()).id]
      const rows = ids.map((entity_id) => ({
        ...noted('acteur.active', { active: true }, { active: false, ground: 'autre' }),
        entity: 'acteur',
        entity_id,
      }))
      return { by: admin, path: '/admin/acteurs/bulk', body: { ids, active: false, reason: 'Vide' }, rows }
    },
    'POST /admin/acteurs/{id}/merge': async () => {
      const [{ id }, into] = [await acteur(), await acteur()]
      const merged = noted('acteur.merge', { merged_into: null }, { merged_into: into.id })
      const received = noted('acteur.merge', null, { merged: id })
      return {
        by: admin,
        path: `/admin/acteurs/${id}/merge`,
        body: { into: into.id },
        rows: [
          { ...merged, entity: 'acteur', entity_id: id },
          { ...received, entity: 'acteur', entity_id: into.id },
        ],
      }
    },
    'DELETE /admin/acteurs/{id}': on(
      '',
      undefined,
      noted('acteur.delete', { deleted_at: null }, { deleted_at: expect.any(String) }),
    ),
    'DELETE /admin/acteurs/{id}/restore': on(
      '/restore',
      undefined,
      noted('acteur.restore', { deleted_at: expect.any(String) }, { deleted_at: null }),
      { deleted_at: new Date() },
    ),
    'PATCH /admin/acteurs/{id}/validate': on(
      '/validate',
      undefined,
      noted('acteur.validate', { valide: false }, { valide: true }),
    ),
    'PATCH /admin/acteurs/{id}/badge': on(
      '/badge',
      { badge: 'Or' },
      noted('acteur.badge', { badge: 'Bronze' }, { badge: 'Or' }),
      { badge: 'Bronze' },
    ),
    'PATCH /admin/acteurs/{id}/active': on(
      '/active',
      { active: false, ground: 'spam', reason: secret },
      noted('acteur.active', { active: true }, { active: false, ground: 'spam' }),
    ),
    'POST /admin/acteurs/{id}/can-publish': on(
      '/can-publish',
      { can_publish: true },
      noted('acteur.can_publish', { can_publish: false }, { can_publish: true }),
    ),
  }
}
