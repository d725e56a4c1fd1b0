import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'

const world = await openWorld()
const { as, user } = world
const admin = await as('admin')
const moderator = await as('moderator')
const support = await as('support')
let number = 0
const fresh = (kind = 'rejection') => ({ kind, name: `Modèle ${++number}`, body: 'Bonjour' })

test('GET /admin/templates returns 200 with the templates of a kind by name', async () => {
  const made = ['Zèbre', 'abeille'].map((name) => ({ ...fresh('claim'), name }))
  for (const body of made) expect((await admin.post('/admin/templates', body)).status).toBe(201)
  const { body } = await moderator.get('/admin/templates?kind=claim')
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['abeille', 'Zèbre'])
})

test('each kind of template requires the role that uses it', async () => {
  expect((await support.post('/admin/templates', fresh('reply'))).status).toBe(201)
  expect(await support.post('/admin/templates', fresh('rejection'))).toBeError(403, 'admin_required')
  expect(await moderator.get('/admin/templates?kind=reply')).toBeError(403, 'admin_required')
  const { id } = (await moderator.post('/admin/templates', fresh())).body.data
  expect(await support.patch(`/admin/templates/${id}`, { name: 'Autre' })).toBeError(403, 'admin_required')
  expect(await support.delete(`/admin/templates/${id}`)).toBeError(403, 'admin_required')
  expect(await support.post(`/admin/templates/${id}/preview`, { id })).toBeError(403, 'admin_required')
})

test('POST and PATCH /admin/templates return 409 for a taken name, also concurrently', async () => {
  const body = fresh()
  const create = () => admin.post('/admin/templates', { ...body, name: body.name.toUpperCase() })
  const statuses = (await Promise.all([create(), create(), create()])).map(({ status }) => status)
  expect(statuses.sort()).toEqual([201, 409, 409])
  const other = (await admin.post('/admin/templates', fresh())).body.data
  expect(await admin.patch(`/admin/templates/${other.id}`, { name: body.name })).toBeError(409, 'conflict')
})

test('a template of a rejection names an active ground; others name none', async () => {
  for (const wrong of [
    { ...fresh(), ground: 'nope' },
    { ...fresh('claim'), ground: 'spam' },
    { ...fresh('reply'), ground: 'spam' },
  ])
    expect(await admin.post('/admin/templates', wrong)).toBeError(422, 'validation_failed')
  const { id } = (await admin.post('/admin/templates', { ...fresh(), ground: 'spam' })).body.data
  const claim = (await admin.post('/admin/templates', { ...fresh('claim'), ground: null })).body.data
  expect(await admin.patch(`/admin/templates/${id}`, { ground: 'nope' })).toBeError(422, 'validation_failed')
  expect(await admin.patch(`/admin/templates/${claim.id}`, { ground: 'spam' })).toBeError(
    422,
    'validation_failed',
  )
  expect((await admin.patch(`/admin/templates/${id}`, { ground: 'date' })).body.data.ground).toBe('date')
  expect((await admin.patch(`/admin/templates/${id}`, { ground: null })).body.data.ground).toBeNull()
})

test('POST and PATCH /admin/templates return 422 for an invalid body', async () => {
  for (const wrong of [{ kind: 'mail' }, { name: '' }, { body: 'x'.repeat(5_001) }, { subject: 'x' }])
    expect(await admin.post('/admin/templates', { ...fresh(), ...wrong })).toBeError(422, 'validation_failed')
  const { id } = (await admin.post('/admin/templates', fresh())).body.data
  expect(await admin.patch(`/admin/templates/${id}`, {})).toBeError(422, 'validation_failed')
  expect(await admin.get('/admin/templates?kind=mail')).toBeError(422, 'validation_failed')
})

test('PATCH /admin/templates/{id} returns 200, and 412 for an outdated version', async () => {
  const { id } = (await admin.post('/admin/templates', fresh())).body.data
  const path = `/admin/templates/${id}`
  const changed = await admin.patch(path, { body: 'Bonsoir' }, { headers: { 'if-match': '"1"' } })
  expect(changed.body.data).toMatchObject({ body: 'Bonsoir', version: 2 })
  expect(await admin.patch(path, { body: 'Salut' }, { headers: { 'if-match': '"1"' } })).toBeError(
    412,
    'precondition_failed',
  )
})

test('DELETE /admin/templates/{id} returns 200, then 404, and frees its name', async () => {
  const body = fresh()
  const { id } = (await admin.post('/admin/templates', body)).body.data
  expect((await moderator.get(`/admin/templates/${id}`)).body.data).toMatchObject(body)
  expect((await admin.delete(`/admin/templates/${id}`)).status).toBe(200)
  expect(await admin.get(`/admin/templates/${id}`)).toBeError(404, 'not_found')
  expect(await admin.delete(`/admin/templates/${id}`)).toBeError(404, 'not_found')
  expect(await admin.patch(`/admin/templates/${id}`, { body: 'x' })).toBeError(404, 'not_found')
  expect((await admin.post('/admin/templates', body)).status).toBe(201)
})

test('POST /admin/templates/{id}/preview returns 200 with the values of the record', async () => {
  const text = '{{nom}} : « {{ titre }} » de {{acteur}} {{autre}}'
  const { id } = (await admin.post('/admin/templates', { ...fresh(), body: text })).body.data
  const acteur = await world.acteur({ nom: 'Comité' })
  const author = await user({ nom: 'Zoé $& Martin' })
  const values = { title: 'Fête', acteur_id: acteur.id, created_by: author.id }
  const publication = await insertPublication(world, values)
  const preview = await moderator.post(`/admin/templates/${id}/preview`, { id: publication.id })
  expect(preview.body.data.body).toBe('Zoé $& Martin : « Fête » de Comité {{autre}}')
})

test.each<[string | null, string, string]>([
  ['Odile Vauquelin', 'Bac non relevé', 'Bonjour Odile Vauquelin, « Bac non relevé »'],
  ['Gagnez sur www.example.org', 'Voir https://example.org/gain', 'Bonjour, « »'],
  [null, 'Écrivez à example.org', 'Bonjour, « »'],
  [null, 'Bac n. 3, cassé', 'Bonjour, « Bac n. 3, cassé »'],
  ...['paypa1.com', '1.2.3.4/login', 'evil。com', 'evil．com', 'evil｡com', 'javascript:x', '//x', 'a／b'].map(
    (link): [null, string, string] => [null, `Voir ${link}`, 'Bonjour, « »'],
  ),
])(
  'a template for a reply quotes a plain name and a subject without a link (case %#)',
  async (nom, subject, expected) => {
    const thread = { nom, subject, email: 'odile@example.org', body: 'Bonjour' }
    const { body } = await world.post('/support/messages', thread)
    const template = { ...fresh('reply'), body: 'Bonjour {{nom}}, « {{titre}} »' }
    const { id } = (await admin.post('/admin/templates', template)).body.data
    const preview = await support.post(`/admin/templates/${id}/preview`, { id: body.data.id })
    expect(preview.body.data.body).toBe(expected)
  },
)

test('POST /admin/templates/{id}/preview returns 404 for an unknown record, 422 without an id', async () => {
  const { id } = (await admin.post('/admin/templates', fresh())).body.data
  expect(await admin.post(`/admin/templates/${id}/preview`, { id: uuidv7() })).toBeError(404, 'not_found')
  expect(await admin.post(`/admin/templates/${uuidv7()}/preview`, { id })).toBeError(404, 'not_found')
  expect(await admin.post(`/admin/templates/${id}/preview`, { id: 'x' })).toBeError(422, 'validation_failed')
})
