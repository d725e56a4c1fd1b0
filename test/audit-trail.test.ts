import { expect, test } from 'vitest'
import type { Role } from '../src/platform/access/areas.ts'
import { openMairie } from './harness/mairies.ts'
import { openWorld } from './harness/world.ts'

type Row = { action: string; entity: string; entity_id?: string; before: object | null; after: object | null }
/** One call, as somebody, and what the trail keeps of it; without an id it is that of the answer. */
type Deed = { by: Actor; path: string; body?: object; rows: Row[] }

const routes: string[] = []
const world = await openWorld({
  watchRoutes: ({ method, url, config }) => {
    if (method === 'HEAD' || method === 'GET' || config?.audience === undefined) return
    routes.push(`${String(method)} ${url.replace('/api/v1', '').replace(/:(\w+)/g, '{$1}')}`)
  },
})
const { acteur, commune, user, client, db } = world

type Actor = { id: string; source: string; client: ReturnType<typeof client> }
async function actor(source: string, options: Parameters<typeof user>[0] = {}): Promise<Actor> {
  const { id, token } = await user(options)
  return { id, source, client: client({ source, token }) }
}
const officer = (role: Role) => actor('backoffice', { roles: [role] })
const admin = await officer('admin')
const moderator = await officer('moderator')

const mairie = await openMairie(world)
const mayor = await actor('mairie', { memberships: [{ acteur: mairie.hall, role: 'owner' }] })
const place = await commune()
const club = await acteur({ valide: true, commune_id: place.id })
const author = await actor('public', { memberships: [{ acteur: club, role: 'owner' }] })

/** Stands for a name, a contact or what somebody wrote: it must not be found in the trail. */
const secret = 'Odile Vauquelin'
const address = 'odile.vauquelin@example.org'
const personal = '(personal)'
const content = { title: 'Fête de la pomme', body: 'Pressage sur la place.' }

async function publication(by = author, path = '/publications', more: object = { acteur_id: club.id }) {
  const answer = await by.client.post(path, { ...content, ...more })
  return answer.body.data.id as string
}
async function claim(): Promise<string> {
  const claimed = await acteur()
  const given = { acteur_id: claimed.id, message: secret, nom: secret, email: address, telephone: secret }
  return (await world.post('/claims', given)).body.data.id
}

const published = {
  before: { moderation_status: 'pending', valide: false, publie_le: null },
  after: { moderation_status: 'published', valide: true, publie_le: expect.any(String) },
}
const created = { title: content.title, body: expect.stringMatching(/^22 characters, /), epingle: false }

async function onPublication(path: string, by: Actor, body: object | undefined, row: Omit<Row, 'entity'>) {
  const id = await publication()
  const rows = [{ entity: 'publication', entity_id: id, ...row }]
  return { by, path: path.replace('{id}', id), ...(body && { body }), rows }
}
const moderate = { moderation_status: 'published' }
const centrally = { ...published.after, decided_centrally: true }

async function onActeur(path: string, body: object | undefined, row: Omit<Row, 'entity'>, values = {}) {
  const { id } = await acteur(values)
  const rows = [{ entity: 'acteur', entity_id: id, ...row }]
  return { by: admin, path: path.replace('{id}', id), ...(body && { body }), rows }
}
async function onUser(path: string, body: object | undefined, row: Omit<Row, 'entity'>, values = {}) {
  const { id } = await user(values)
  const rows = [{ entity: 'user', entity_id: id, ...row }]
  return { by: admin, path: path.replace('{userId}', id), ...(body && { body }), rows }
}
const alerte = { titre: 'Coupure d’eau', message: 'Jeudi matin.', niveau: 'info' }
const alerted = { action: 'alerte.create', entity: 'alerte', before: null }
const noted = (action: string, before: object | null, after: object | null) => ({ action, before, after })

/** What each route that changes something leaves behind: a route that is new is said here on purpose. */
const deeds: Record<string, () => Promise<Deed>> = {
  'POST /publications': async () => ({
    by: author,
    path: '/publications',
    body: { ...content, acteur_id: club.id },
    rows: [{ ...noted('publication.create', null, expect.objectContaining(created)), entity: 'publication' }],
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
      moderate,
      noted('publication.moderate', { ...published.before, decided_centrally: false }, centrally),
    ),
  'POST /publications/{id}/report': async () => {
    const id = await publication()
    await admin.client.patch(`/admin/publications/${id}/moderate`, moderate)
    const after = { publication_id: id, category: 'wrong', reason: personal, message: personal }
    return {
      by: author,
      path: `/publications/${id}/report`,
      body: { category: 'wrong', reason: secret, message: secret },
      rows: [{ ...noted('publication.report', null, after), entity: 'publication_report' }],
    }
  },
  'POST /mairie/acteurs/{acteurId}/publications': async () => ({
    by: mayor,
    path: mairie.path,
    body: content,
    rows: [{ ...noted('publication.create', null, expect.objectContaining(created)), entity: 'publication' }],
  }),
  'PATCH /mairie/acteurs/{acteurId}/publications/{publicationId}/moderate': async () => {
    const id = await publication(mayor, mairie.path, {})
    return {
      by: mayor,
      path: `${mairie.path}/${id}/moderate`,
      body: { moderation_status: 'rejected', reason: 'Date manquante' },
      rows: [
        {
          action: 'publication.moderate',
          entity: 'publication',
          entity_id: id,
          before: { moderation_status: 'published', valide: true, moderation_reason: null },
          after: { moderation_status: 'rejected', valide: false, moderation_reason: 'Date manquante' },
        },
      ],
    }
  },
  'POST /mairie/communes/{communeId}/alertes': async () => ({
    by: mayor,
    path: `/mairie/communes/${mairie.commune.id}/alertes`,
    body: alerte,
    rows: [{ ...alerted, after: expect.objectContaining({ ...alerte, commune_id: mairie.commune.id }) }],
  }),
  'POST /mairie/acteurs/{acteurId}/alertes': async () => ({
    by: mayor,
    path: `/mairie/acteurs/${mairie.hall.id}/alertes`,
    body: alerte,
    rows: [{ ...alerted, after: expect.objectContaining({ ...alerte, acteur_id: mairie.hall.id }) }],
  }),
  'POST /claims': async () => {
    const { id } = await acteur()
    const given = { message: secret, nom: secret, email: address, telephone: secret }
    const kept = { message: personal, nom: personal, email: personal, telephone: personal }
    const after = { id: expect.any(String), acteur_id: id, user_id: author.id, status: 'pending', ...kept }
    return {
      by: author,
      path: '/claims',
      body: { acteur_id: id.toUpperCase(), ...given },
      rows: [{ ...noted('claim.create', null, after), entity: 'claim' }],
    }
  },
  'PATCH /admin/claims/{id}': async () => {
    const id = await claim()
    return {
      by: moderator,
      path: `/admin/claims/${id}`,
      body: { status: 'rejected', reason: secret },
      rows: [
        {
          action: 'claim.decide',
          entity: 'claim',
          entity_id: id,
          before: { status: 'pending', reason: null, decided_by: null, ended_at: null },
          after: {
            status: 'rejected',
            reason: personal,
            decided_by: moderator.id,
            ended_at: expect.any(String),
          },
        },
      ],
    }
  },
  'PATCH /admin/publications/bulk/moderate': async () => {
    const ids = [await publication(), await publication()]
    const row = noted('publication.moderate', { ...published.before, decided_centrally: false }, centrally)
    return {
      by: moderator,
      path: '/admin/publications/bulk/moderate',
      body: { ids: ids.map((id) => id.toUpperCase()), ...moderate },
      rows: ids.map((entity_id) => ({ ...row, entity: 'publication', entity_id })),
    }
  },
  'PATCH /admin/publications/{id}/moderate': () =>
    onPublication(
      '/admin/publications/{id}/moderate',
      moderator,
      moderate,
      noted('publication.moderate', { ...published.before, decided_centrally: false }, centrally),
    ),
  'PATCH /admin/publications/{id}/valide': () =>
    onPublication(
      '/admin/publications/{id}/valide',
      moderator,
      { valide: true },
      noted('publication.valide', { ...published.before, decided_centrally: false }, centrally),
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
    const deed = await onPublication('/admin/publications/{id}/restore', moderator, undefined, row)
    await moderator.client.delete(deed.path.replace('/restore', ''))
    return deed
  },
  'POST /admin/acteurs': async () => ({
    by: admin,
    path: '/admin/acteurs',
    body: { nom: 'Pétanque', type: 'association', telephone: secret, email: address, adresse: secret },
    rows: [
      {
        action: 'acteur.create',
        entity: 'acteur',
        before: null,
        after: expect.objectContaining({ nom: 'Pétanque', telephone: personal, email: personal }),
      },
    ],
  }),
  'PATCH /admin/acteurs/{id}': () =>
    onActeur(
      '/admin/acteurs/{id}',
      { nom: 'Boule', telephone: secret },
      noted('acteur.update', { nom: 'Pétanque', telephone: null }, { nom: 'Boule', telephone: personal }),
      { nom: 'Pétanque' },
    ),
  'DELETE /admin/acteurs/{id}': () =>
    onActeur(
      '/admin/acteurs/{id}',
      undefined,
      noted('acteur.delete', { deleted_at: null }, { deleted_at: expect.any(String) }),
    ),
  'DELETE /admin/acteurs/{id}/restore': () =>
    onActeur(
      '/admin/acteurs/{id}/restore',
      undefined,
      noted('acteur.restore', { deleted_at: expect.any(String) }, { deleted_at: null }),
      { deleted_at: new Date() },
    ),
  'PATCH /admin/acteurs/{id}/validate': () =>
    onActeur(
      '/admin/acteurs/{id}/validate',
      undefined,
      noted('acteur.validate', { valide: false }, { valide: true }),
    ),
  'PATCH /admin/acteurs/{id}/badge': () =>
    onActeur(
      '/admin/acteurs/{id}/badge',
      { badge: 'Or' },
      noted('acteur.badge', { badge: 'Bronze' }, { badge: 'Or' }),
      { badge: 'Bronze' },
    ),
  'PATCH /admin/acteurs/{id}/active': () =>
    onActeur(
      '/admin/acteurs/{id}/active',
      { active: false },
      noted('acteur.active', { active: true }, { active: false }),
    ),
  'POST /admin/acteurs/{id}/can-publish': () =>
    onActeur(
      '/admin/acteurs/{id}/can-publish',
      { can_publish: true },
      noted('acteur.can_publish', { can_publish: false }, { can_publish: true }),
    ),
  'PATCH /admin/users/{userId}': () =>
    onUser(
      '/admin/users/{userId}',
      { nom: secret, actif: false },
      noted('user.update', { nom: null, actif: true }, { nom: personal, actif: false }),
    ),
  'POST /admin/users/{userId}/roles': () =>
    onUser(
      '/admin/users/{userId}/roles',
      { role: 'support' },
      noted('user.role_add', { roles: [] }, { roles: ['support'] }),
    ),
  'DELETE /admin/users/{userId}/roles/{role}': () =>
    onUser(
      '/admin/users/{userId}/roles/support',
      undefined,
      noted('user.role_remove', { roles: ['support'] }, { roles: [] }),
      { roles: ['support'] },
    ),
  'POST /admin/communes': async () => ({
    by: admin,
    path: '/admin/communes',
    body: { nom: 'Neuve', code_insee: '98001', codes_postaux: [], departement: '98', region: '98' },
    rows: [
      {
        action: 'commune.create',
        entity: 'commune',
        before: null,
        after: expect.objectContaining({ nom: 'Neuve', code_insee: '98001' }),
      },
    ],
  }),
  'PATCH /admin/communes/{id}': async () => {
    const { id } = await commune({ nom: 'Vieille' })
    const elus = [{ nom: 'Vauquelin', prenom: 'Odile', fonction: 'Maire' }]
    return {
      by: admin,
      path: `/admin/communes/${id}`,
      body: { nom: 'Neuve', elus },
      rows: [
        {
          action: 'commune.update',
          entity: 'commune',
          entity_id: id,
          before: { nom: 'Vieille', elus: personal },
          after: { nom: 'Neuve', elus: personal },
        },
      ],
    }
  },
}

test('each route that changes something is told of here, and no other', () => {
  expect(Object.keys(deeds).sort()).toEqual(routes.toSorted())
})

const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

test.each(Object.entries(deeds))(
  '%s leaves one row by record: who, what, before and after',
  async (name, make) => {
    const { by, path, body, rows } = await make()
    const [method = ''] = name.split(' ')
    // However an id is written, the trail finds its record.
    const written = (id: string) => id.toUpperCase()
    const asked = path.replaceAll(uuids, written)
    const answer = await by.client.send(method, asked, body)
    expect([200, 201], answer.text).toContain(answer.status)
    const requestId = answer.headers.get('x-request-id')
    const trail = await db
      .selectFrom('audit_log')
      .select(['action', 'entity', 'entity_id', 'before', 'after', 'user_id', 'app_source'])
      .where('request_id', '=', requestId)
      .orderBy('entity_id')
      .execute()
    const shared = { user_id: by.id, app_source: by.source }
    const expected = rows.map((row) => ({ entity_id: answer.body.data.id, ...row, ...shared }))
    expect(trail).toEqual(expected.toSorted((one, other) => (one.entity_id < other.entity_id ? -1 : 1)))
    expect(JSON.stringify(trail)).not.toMatch(/vauquelin/i)
  },
)

test('a claim that meets another leaves its own row', async () => {
  const { id } = await acteur()
  const submit = () => author.client.post('/claims', { acteur_id: id.toUpperCase(), message: secret })
  const first = await submit()
  const refused = await submit()
  expect(refused).toBeError(409, 'claim_conflict')
  const trail = await db
    .selectFrom('audit_log')
    .select(['action', 'entity_id', 'user_id', 'after'])
    .where('request_id', '=', refused.headers.get('x-request-id'))
    .execute()
  const after = { acteur_id: id, user_id: author.id }
  expect(trail).toEqual([
    { action: 'claim.conflict', entity_id: first.body.data.id, user_id: author.id, after },
  ])
})
