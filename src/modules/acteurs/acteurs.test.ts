import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const { as, acteur, commune, user, db } = await openWorld()
const admin = await as('admin')

const at = ({ id }: { id: string }) => `/admin/acteurs/${id}`
const auditEntries = (id: string) =>
  db.selectFrom('audit_log').selectAll().where('entity_id', '=', id).orderBy('at').orderBy('id').execute()
const fields = ({ body }: { body: { details: { field: string }[] } }) =>
  body.details.map(({ field }) => field)

const club = {
  nom: "Pétanque de l'Œuf",
  type: 'association',
  description: 'Ouvert à tous.',
  adresse: '12 rue des Alpes',
  telephone: '04 65 71 73 12',
  email: 'contact@petanque.example',
  site_web: 'https://petanque.example/fr?a=1',
  horaires: 'We 14:00-18:00; PH off',
  siret: '21860194600013',
}

test('POST /admin/acteurs returns 201 with a new acteur that is neither validated nor allowed to publish', async () => {
  const { id: commune_id, nom, slug } = await commune()
  const answer = await admin.post('/admin/acteurs', { ...club, commune_id })
  expect(answer.status).toBe(201)
  expect(answer.headers.get('etag')).toBe('"1"')
  expect(answer.body.data).toEqual({
    ...club,
    commune_id,
    commune: { id: commune_id, nom, slug },
    id: expect.any(String),
    slug: `petanque-de-l-oeuf-${answer.body.data.id.slice(-6)}`,
    logo: null,
    valide: false,
    badge: null,
    active: true,
    can_publish: false,
    deleted_at: null,
    subscription: null,
    can: ['edit', 'validate', 'badge', 'active', 'can-publish', 'merge', 'delete'],
    created_at: expect.any(String),
    updated_at: expect.any(String),
    version: 1,
  })
  const [row] = await auditEntries(answer.body.data.id)
  expect(row).toMatchObject({
    action: 'acteur.create',
    entity: 'acteur',
    user_id: expect.any(String),
    before: null,
    after: { nom: club.nom, slug: answer.body.data.slug, email: '(personal)', telephone: '(personal)' },
  })
  expect(JSON.stringify(row)).not.toMatch(/rue des Alpes|04 65|contact@/)
})

test('the slug of an acteur is formed alike whether another has its name or not', async () => {
  for (const [nom, base] of [
    ['Foire', 'foire'],
    ['FOIRE !', 'foire'],
    ['東京', 'acteur'],
  ]) {
    const { id, slug } = (await admin.post('/admin/acteurs', { nom, type: 'autre' })).body.data
    expect(slug).toBe(`${base}-${id.slice(-6)}`)
  }
})

test.each([
  ['nom', { nom: '' }],
  ['nom', { nom: '   ' }],
  ['nom', { nom: 'a\0b' }],
  ['nom', { nom: 'x'.repeat(201) }],
  ['nom', { nom: 'Pétanque\nde Chambéry' }],
  ['nom', { nom: 'Pétanque\u2028de Chambéry' }],
  ['telephone', { telephone: '04 65 71 73 12\r\n' }],
  ['email', { email: 'zoe@example.org\n' }],
  ['type', { type: 'club' }],
  ['commune_id', { commune_id: '0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e' }],
  ['commune_id', { commune_id: '12' }],
  ['email', { email: 'a@b@c.example' }],
  ['email', { email: 'Zoé <zoe@example.org>' }],
  ['email', { email: 'zoe@127.0.0.1' }],
  ['email', { email: '' }],
  ['site_web', { site_web: 'javascript:alert(1)' }],
  ['site_web', { site_web: 'ftp://petanque.example' }],
  ['site_web', { site_web: 'petanque.example' }],
  ['valide', { valide: true }],
  ['can_publish', { can_publish: true }],
  ['slug', { slug: 'autre' }],
])('PATCH /admin/acteurs/{id} returns 422 and changes nothing: %s', async (field, body) => {
  const before = await acteur()
  const answer = await admin.patch(at(before), body)
  expect(answer).toBeError(422, 'validation_failed')
  expect(fields(answer)).toContain(field)
  expect((await admin.get(at(before))).body.data.version).toBe(1)
  const made = await admin.post('/admin/acteurs', { nom: 'Neuf', type: 'autre', ...body })
  expect(made).toBeError(422, 'validation_failed')
})

test('an address and a description keep their line breaks', async () => {
  const body = { adresse: '12 rue des Alpes\n73000 Chambéry', description: 'Le jeudi.\nOuvert à tous.' }
  expect((await admin.patch(at(await acteur()), body)).body.data).toMatchObject(body)
})

test('POST /admin/acteurs returns 422 without a name or a type', async () => {
  const answer = await admin.post('/admin/acteurs', {})
  expect(answer).toBeError(422, 'validation_failed')
  expect(fields(answer)).toEqual(['nom', 'type'])
})

test('GET /admin/acteurs/{id} returns 200, also for a deleted acteur', async () => {
  const { id, slug } = await acteur({ deleted_at: '2026-01-02T03:04:05.678Z' })
  const { status, body, headers } = await admin.get(at({ id }))
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ id, slug, deleted_at: '2026-01-02T03:04:05.678Z', members: [] })
  expect(headers.get('cache-control')).toBe('no-store')
})

test('GET /admin/acteurs/{id} returns 200 with its members in the order they joined', async () => {
  const hall = await acteur({ type: 'mairie' })
  const owner = await user({
    nom: 'Zoé',
    email_verified: true,
    memberships: [{ acteur: hall, role: 'owner' }],
  })
  const permissions = ['publish_publications' as const]
  const editor = await user({ memberships: [{ acteur: hall, permissions }] })
  const { body } = await admin.get(at(hall))
  expect(body.data.members).toEqual([
    {
      user_id: owner.id,
      user: { id: owner.id, nom: 'Zoé' },
      nom: 'Zoé',
      email: owner.email,
      email_verified: true,
      role: 'owner',
      permissions: [],
    },
    {
      user_id: editor.id,
      user: { id: editor.id, nom: null },
      nom: null,
      email: editor.email,
      email_verified: false,
      role: 'editor',
      permissions,
    },
  ])
  expect((await admin.patch(at(hall), { nom: 'Hôtel de ville' })).body.data).not.toHaveProperty('members')
})

test('PATCH /admin/acteurs/{id} returns 200 with the updated acteur; its slug stays', async () => {
  const before = await acteur({ email: 'a@example.org' })
  const answer = await admin.patch(at(before), { nom: 'Autre nom', email: null, type: 'commerce' })
  expect(answer.status).toBe(200)
  expect(answer.body.data).toMatchObject({
    nom: 'Autre nom',
    slug: before.slug,
    email: null,
    type: 'commerce',
    version: 2,
  })
  expect((await admin.patch(at(before), {})).body.data.version).toBe(2)
  expect(await auditEntries(before.id)).toMatchObject([
    {
      action: 'acteur.update',
      before: { nom: before.nom, email: '(personal)', type: 'association' },
      after: { nom: 'Autre nom', type: 'commerce' },
    },
  ])
})

test('the type of an acteur named as a mairie cannot change, even concurrently', async () => {
  const mairie = await acteur({ type: 'mairie' })
  const { id } = await commune({ mairie_actor_id: mairie.id })
  expect(await admin.patch(at(mairie), { type: 'service' })).toBeError(409, 'conflict')
  expect((await admin.patch(at(mairie), { type: 'mairie', nom: 'Hôtel de ville' })).status).toBe(200)
  for (let round = 0; round < 10; round++) {
    await db.updateTable('communes').set({ mairie_actor_id: null }).where('id', '=', id).execute()
    await db.updateTable('acteurs').set({ type: 'mairie' }).where('id', '=', mairie.id).execute()
    const [typed, named] = await Promise.all([
      admin.patch(at(mairie), { type: 'service' }),
      admin.patch(`/admin/communes/${id}`, { mairie_actor_id: mairie.id }),
    ])
    expect([[200, 422].join(), [409, 200].join()]).toContain([typed.status, named.status].join())
  }
})

test('DELETE /admin/acteurs/{id} returns 200 with deleted_at; a second time it changes nothing', async () => {
  const before = await acteur()
  const first = await admin.delete(at(before))
  expect(first.status).toBe(200)
  expect(first.body.data).toMatchObject({ deleted_at: expect.any(String), version: 2 })
  const second = await admin.delete(at(before))
  expect(second.body.data).toEqual(first.body.data)
  expect(await auditEntries(before.id)).toMatchObject([{ action: 'acteur.delete' }])
})

test('DELETE /admin/acteurs/{id}/restore returns 200 with a live acteur; on a live one it changes nothing', async () => {
  const before = await acteur({ deleted_at: new Date(), badge: 'Or' })
  const restore = () => admin.delete(`${at(before)}/restore`)
  expect(await admin.delete(`${at(before)}/restore`, { headers: { 'if-match': '"9"' } })).toBeError(
    412,
    'precondition_failed',
  )
  expect((await restore()).body.data).toMatchObject({ deleted_at: null, badge: 'Or', version: 2 })
  expect((await restore()).body.data.version).toBe(2)
  expect(await auditEntries(before.id)).toMatchObject([{ action: 'acteur.restore' }])
})

const missing = async (method: string, rest: string, body?: unknown) => {
  for (const id of [uuidv7(), '12'])
    expect(await admin.send(method, `/admin/acteurs/${id}${rest}`, body)).toBeError(404, 'not_found')
}
test('GET /admin/acteurs/{id} returns 404', () => missing('GET', ''))
test('PATCH /admin/acteurs/{id} returns 404', () => missing('PATCH', '', {}))
test('DELETE /admin/acteurs/{id} returns 404', () => missing('DELETE', ''))
test('DELETE /admin/acteurs/{id}/restore returns 404', () => missing('DELETE', '/restore'))
test('PATCH /admin/acteurs/{id}/validate returns 404', () => missing('PATCH', '/validate'))
test('PATCH /admin/acteurs/{id}/badge returns 404', () => missing('PATCH', '/badge', { badge: null }))
test('PATCH /admin/acteurs/{id}/active returns 404', () => missing('PATCH', '/active', { active: true }))
test('POST /admin/acteurs/{id}/can-publish returns 404', () =>
  missing('POST', '/can-publish', { can_publish: true }))
