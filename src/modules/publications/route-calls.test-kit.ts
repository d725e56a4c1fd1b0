import { expect } from 'vitest'
import type { Actor, RouteCall, RouteCalls, Stage } from '../../../test/support/route-calls.ts'
import { insertPublication } from './publications.test-kit.ts'

const content = { title: 'Fête de la pomme', body: 'Pressage sur la place.' }
const publish = { moderation_status: 'published' }
const published = {
  before: { moderation_status: 'pending', valide: false, publie_le: null },
  after: { moderation_status: 'published', valide: true, publie_le: expect.any(String) },
}
const uncentral = { ...published.before, decided_centrally: false }
const central = { ...published.after, decided_centrally: true }
/** A deletion without a ground takes `autre`. */
const deletedByTeam = { deleted_at: expect.any(String), ground: 'autre' }
const created = { title: content.title, body: expect.stringMatching(/^22 characters, /), epingle: false }

export function routeCalls(stage: Stage): RouteCalls {
  const { admin, moderator, mayor, author, reader, mairie, club, noted, personal, secret } = stage

  let markets = 0
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
  const groupPath = `/mairie/communes/${mairie.commune.id}/group-publications`
  /** A publication of a group for the commune of the mairie. */
  async function ofGroup() {
    const owner = await stage.acteur({ type: 'intercommunalite', valide: true })
    const body = { nom: 'Syndicat', kind: 'autre', acteur_id: owner.id, commune_ids: [mairie.commune.id] }
    await admin.client.post('/admin/groups', body)
    const { id } = await insertPublication(stage, { acteur_id: owner.id })
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
    'GET /publications/changes': read(reader, '/publications/changes'),
    'GET /publications': read(reader, '/publications'),
    'GET /publications?updated_since': read(reader, '/publications?updated_since=2026-11-01T00:00:00Z'),
    'GET /communes/{communeId}/publications?updated_since': read(
      reader,
      `/communes/${club.commune_id}/publications?updated_since=2026-11-01T00:00:00Z`,
    ),
    'GET /publications?q': read(reader, '/publications?q=pomme'),
    'GET /publications?type_id': read(reader, '/publications?type_id=01998000-0000-7000-8000-000000000002'),
    'GET /publications?group_id': read(reader, '/publications?group_id=01998000-0000-7000-8000-000000000002'),
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
    'PATCH /admin/publications/{id}': () =>
      onPublication(
        '/admin/publications/{id}',
        moderator,
        { title: 'Fête de la poire', reason: 'Ce sont des poires.' },
        noted(
          'publication.correct',
          { title: content.title },
          { title: 'Fête de la poire', reason: personal },
        ),
      ),
    'GET /admin/publications/{id}/history': async () => ({
      by: moderator,
      path: `/admin/publications/${await publication()}/history`,
    }),
    'GET /admin/publications/{id}/similar': async () => ({
      by: moderator,
      path: `/admin/publications/${await publication()}/similar`,
    }),
    'GET /admin/publications/choices': read(admin, '/admin/publications/choices?of=acteur&q=pomme'),
    'GET /admin/publications?oldest-report': read(admin, '/admin/publications?sort=oldest_report_asc'),
    'GET /admin/reports': async () => {
      await reported()
      return { by: moderator, path: '/admin/reports?category=spam' }
    },
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
    'GET /me/statements': read(author, '/me/statements'),
    'GET /me/reports': async () => {
      await reported()
      await reported()
      return { by: author, path: '/me/reports' }
    },
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
    'PATCH /publications/{id}/restore': async () => {
      const id = await publication()
      await author.client.delete(`/publications/${id}`)
      const row = noted('publication.restore', { deleted_at: expect.any(String) }, { deleted_at: null })
      return {
        by: author,
        path: `/publications/${id}/restore`,
        rows: [{ ...row, entity: 'publication', entity_id: id }],
      }
    },
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
        body: { category: 'wrong', reason: secret, message: secret, email: stage.address, name: secret },
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
    'GET /mairie/communes/{communeId}/group-publications': async () => {
      await ofGroup()
      return { by: mayor, path: groupPath }
    },
    'GET /mairie/communes/{communeId}/group-publications?hidden': read(mayor, `${groupPath}?hidden=true`),
    'PUT /mairie/communes/{communeId}/group-publications/{publicationId}/hidden': async () => {
      const id = await ofGroup()
      const change = noted('publication.hide_in_commune', null, { commune_id: mairie.commune.id })
      const rows = [{ ...change, entity: 'publication', entity_id: id }]
      return { by: mayor, path: `${groupPath}/${id}/hidden`, rows }
    },
    'DELETE /mairie/communes/{communeId}/group-publications/{publicationId}/hidden': async () => {
      const id = await ofGroup()
      await mayor.client.put(`${groupPath}/${id}/hidden`)
      const change = noted('publication.show_in_commune', { commune_id: mairie.commune.id }, null)
      const rows = [{ ...change, entity: 'publication', entity_id: id }]
      return { by: mayor, path: `${groupPath}/${id}/hidden`, rows }
    },
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
              { moderation_status: 'rejected', valide: false, moderation_reason: reason, ground: 'autre' },
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
    'PATCH /admin/publications/bulk/delete': async () => {
      const ids = [await publication(), await publication()]
      const row = noted('publication.delete', { deleted_at: null }, deletedByTeam)
      return {
        by: moderator,
        path: '/admin/publications/bulk/delete',
        body: { ids },
        rows: ids.map((entity_id) => ({ ...row, entity: 'publication', entity_id })),
      }
    },
    'PATCH /admin/publications/bulk/restore': async () => {
      const id = await publication()
      await moderator.client.delete(`/admin/publications/${id}`)
      const row = noted('publication.restore', { deleted_at: expect.any(String) }, { deleted_at: null })
      return {
        by: moderator,
        path: '/admin/publications/bulk/restore',
        body: { ids: [id] },
        rows: [{ ...row, entity: 'publication', entity_id: id }],
      }
    },
    'PATCH /admin/publications/bulk/feature': async () => {
      const id = await publication()
      const row = noted('publication.feature', { en_avant: false }, { en_avant: true })
      return {
        by: moderator,
        path: '/admin/publications/bulk/feature',
        body: { ids: [id], en_avant: true },
        rows: [{ ...row, entity: 'publication', entity_id: id }],
      }
    },
    'PATCH /admin/publications/bulk/distinguish': async () => {
      const market = { acteur_id: club.id, title: `Marché ${++markets}` }
      const ids = [
        await publication(author, '/publications', market),
        await publication(author, '/publications', market),
      ]
      const row = noted('publication.distinguish', { distinct_by: null }, { distinct_by: expect.any(String) })
      return {
        by: moderator,
        path: '/admin/publications/bulk/distinguish',
        body: { ids },
        rows: ids.map((entity_id) => ({ ...row, entity: 'publication', entity_id })),
      }
    },
    'POST /admin/publications/{id}/keep': async () => {
      const [kept, rejected] = [await publication(), await publication()]
      const refused = {
        ...{ moderation_status: 'rejected', decided_centrally: true, moderation_reason: 'Doublon' },
        ground: 'doublon',
      }
      const before = { moderation_status: 'pending', decided_centrally: false, moderation_reason: null }
      return {
        by: moderator,
        path: `/admin/publications/${kept}/keep`,
        body: { reject: [rejected], reason: 'Doublon' },
        rows: [
          { ...noted('publication.keep', uncentral, central), entity: 'publication', entity_id: kept },
          { ...noted('publication.keep', before, refused), entity: 'publication', entity_id: rejected },
        ],
      }
    },
    'PATCH /admin/publications/bulk/close-reports': async () => {
      const id = await reported()
      const row = noted('publication.close_reports', null, { reports_closed: 1 })
      return {
        by: moderator,
        path: '/admin/publications/bulk/close-reports',
        body: { ids: [id] },
        rows: [{ ...row, entity: 'publication', entity_id: id }],
      }
    },
    'POST /admin/publications/{id}/reports/close': async () => {
      const id = await reported()
      const row = noted('publication.close_reports', null, { reports_closed: 1 })
      return {
        by: moderator,
        path: `/admin/publications/${id}/reports/close`,
        rows: [{ ...row, entity: 'publication', entity_id: id }],
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
        noted('publication.delete', { deleted_at: null }, deletedByTeam),
      ),
    'PATCH /admin/publications/{id}/restore': async () => {
      const row = noted('publication.restore', { deleted_at: expect.any(String) }, { deleted_at: null })
      const call = await onPublication('/admin/publications/{id}/restore', moderator, undefined, row)
      await moderator.client.delete(call.path.replace('/restore', ''))
      return call
    },
  }
}
