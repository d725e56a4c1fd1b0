import { expect } from 'vitest'
import type { Actor, RouteCall, RouteCalls, Stage } from '../../../test/support/route-calls.ts'

const content = { title: 'Fête de la pomme', body: 'Pressage sur la place.' }
const publish = { moderation_status: 'published' }
const published = {
  before: { moderation_status: 'pending', valide: false, publie_le: null },
  after: { moderation_status: 'published', valide: true, publie_le: expect.any(String) },
}
const uncentral = { ...published.before, decided_centrally: false }
const central = { ...published.after, decided_centrally: true }
const created = { title: content.title, body: expect.stringMatching(/^22 characters, /), epingle: false }

export function routeCalls(stage: Stage): RouteCalls {
  const { admin, moderator, mayor, author, reader, mairie, club, noted, personal, secret } = stage

  async function publication(by = author, path = '/publications', more: object = { acteur_id: club.id }) {
    const answer = await by.client.post(path, { ...content, ...more })
    return answer.body.data.id as string
  }
  async function shown() {
    const id = await publication()
    await admin.client.patch(`/admin/publications/${id}/moderate`, publish)
    return id
  }
  async function reported() {
    const id = await shown()
    await author.client.post(`/publications/${id}/report`, { category: 'spam' })
    return id
  }
  type Trail = ReturnType<typeof noted>
  async function onPublication(path: string, by: Actor, body: object | undefined, row: Trail) {
    const id = await publication()
    const rows = [{ entity: 'publication', entity_id: id, ...row }]
    return { by, path: path.replace('{id}', id), ...(body && { body }), rows } satisfies RouteCall
  }
  const read = (by: Actor, path: string) => async () => ({ by, path })

  return {
    'GET /publications/types': read(reader, '/publications/types'),
    'GET /publications': read(reader, '/publications'),
    'GET /publications?q': read(reader, '/publications?q=pomme'),
    'GET /publications?type_id': read(reader, '/publications?type_id=01998000-0000-7000-8000-000000000002'),
    'GET /publications/{id}': async () => ({ by: reader, path: `/publications/${await shown()}` }),
    'GET /publications?sort': read(reader, '/publications?date_fin_min=2026-10-03&sort=date_debut_asc'),
    'GET /acteurs/{acteurId}/publications': read(reader, `/acteurs/${club.id}/publications`),
    'GET /communes/{communeId}/publications': read(reader, `/communes/${club.commune_id}/publications`),
    'GET /mairie/acteurs/{acteurId}/publications': read(mayor, mairie.path),
    'GET /mairie/acteurs/{acteurId}/publications?supervision': read(mayor, `${mairie.path}?supervision=true`),
    'GET /admin/publications': read(
      admin,
      '/admin/publications?moderation_status=pending&sort=created_at_desc&per_page=10',
    ),
    'GET /admin/publications?q': read(admin, '/admin/publications?q=pomme'),
    'GET /admin/publications?duplicates': read(admin, '/admin/publications?duplicates=true'),
    'GET /admin/publications?visible': read(admin, '/admin/publications?visible=false'),
    'GET /admin/publications/{id}': async () => ({
      by: admin,
      path: `/admin/publications/${await publication()}`,
    }),
    'GET /admin/publications/{id}/reports': async () => ({
      by: moderator,
      path: `/admin/publications/${await reported()}/reports`,
    }),
    'GET /me/publications': read(author, '/me/publications'),
    'GET /me/publications/{id}': async () => ({
      by: author,
      path: `/me/publications/${await publication()}`,
    }),
    'POST /publications': async () => ({
      by: author,
      path: '/publications',
      body: { ...content, acteur_id: club.id },
      rows: [
        { ...noted('publication.create', null, expect.objectContaining(created)), entity: 'publication' },
      ],
    }),
    'PATCH /publications/{id}': () =>
      onPublication(
        '/publications/{id}',
        author,
        { title: 'Fête de la poire' },
        noted('publication.update', { title: content.title }, { title: 'Fête de la poire' }),
      ),
    'DELETE /publications/{id}': () =>
      onPublication(
        '/publications/{id}',
        author,
        undefined,
        noted('publication.delete', { deleted_at: null }, { deleted_at: expect.any(String) }),
      ),
    'PATCH /publications/{id}/moderate': () =>
      onPublication(
        '/publications/{id}/moderate',
        moderator,
        publish,
        noted('publication.moderate', uncentral, central),
      ),
    'POST /publications/{id}/report': async () => {
      const id = await shown()
      const after = { report_id: expect.any(String), category: 'wrong', reason: personal, message: personal }
      return {
        by: author,
        path: `/publications/${id}/report`,
        body: { category: 'wrong', reason: secret, message: secret },
        rows: [{ ...noted('publication.report', null, after), entity: 'publication', entity_id: id }],
      }
    },
    'POST /mairie/acteurs/{acteurId}/publications': async () => ({
      by: mayor,
      path: mairie.path,
      body: content,
      rows: [
        { ...noted('publication.create', null, expect.objectContaining(created)), entity: 'publication' },
      ],
    }),
    'PATCH /mairie/acteurs/{acteurId}/publications/{publicationId}/moderate': async () => {
      const id = await publication(mayor, mairie.path, {})
      const reason = 'Date manquante'
      return {
        by: mayor,
        path: `${mairie.path}/${id}/moderate`,
        body: { moderation_status: 'rejected', reason },
        rows: [
          {
            ...noted(
              'publication.moderate',
              { moderation_status: 'published', valide: true, moderation_reason: null },
              { moderation_status: 'rejected', valide: false, moderation_reason: reason },
            ),
            entity: 'publication',
            entity_id: id,
          },
        ],
      }
    },
    'PATCH /admin/publications/bulk/moderate': async () => {
      const ids = [await publication(), await publication()]
      const row = { ...noted('publication.moderate', uncentral, central), entity: 'publication' }
      return {
        by: moderator,
        path: '/admin/publications/bulk/moderate',
        body: { ids: ids.map((id) => id.toUpperCase()), ...publish },
        rows: ids.map((entity_id) => ({ ...row, entity_id })),
      }
    },
    'PATCH /admin/publications/{id}/moderate': () =>
      onPublication(
        '/admin/publications/{id}/moderate',
        moderator,
        publish,
        noted('publication.moderate', uncentral, central),
      ),
    'PATCH /admin/publications/{id}/valide': () =>
      onPublication(
        '/admin/publications/{id}/valide',
        moderator,
        { valide: true },
        noted('publication.valide', uncentral, central),
      ),
    'PATCH /admin/publications/{id}/feature': () =>
      onPublication(
        '/admin/publications/{id}/feature',
        moderator,
        { en_avant: true },
        noted('publication.feature', { en_avant: false }, { en_avant: true }),
      ),
    'DELETE /admin/publications/{id}': () =>
      onPublication(
        '/admin/publications/{id}',
        moderator,
        undefined,
        noted('publication.delete', { deleted_at: null }, { deleted_at: expect.any(String) }),
      ),
    'PATCH /admin/publications/{id}/restore': async () => {
      const row = noted('publication.restore', { deleted_at: expect.any(String) }, { deleted_at: null })
      const call = await onPublication('/admin/publications/{id}/restore', moderator, undefined, row)
      await moderator.client.delete(call.path.replace('/restore', ''))
      return call
    },
  }
}
