import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { insertPublication } from '../publications/publications.test-kit.ts'

const world = await openWorld({ keeps: true })
const { as, commune, get } = world
const admin = await as('admin')

test('POST and PATCH /admin/publication-types return 201 and 200 and change the public list', async () => {
  const made = await admin.post('/admin/publication-types', { libelle: 'Fête foraine' })
  expect(made.status).toBe(201)
  const { id, position } = made.body.data
  expect(made.body.data).toMatchObject({ slug: 'fete-foraine', libelle: 'Fête foraine', version: 1 })
  const listed = async () => (await get('/publications/types')).body.data
  for (let time = 0; time < 3; time++) expect((await listed()).at(-1)).toMatchObject({ id })
  const changed = await admin.patch(`/admin/publication-types/${id}`, { libelle: 'Foire', position: -1 })
  expect(changed.body.data).toMatchObject({
    slug: 'fete-foraine',
    libelle: 'Foire',
    position: -1,
    version: 2,
  })
  expect((await listed())[0]).toMatchObject({ id, libelle: 'Foire' })
  expect((await admin.get(`/admin/publication-types/${id}`)).body).toEqual(changed.body)
  const { body } = await admin.get('/admin/publication-types')
  expect(body.data[0]).toEqual(changed.body.data)
  const next = await admin.post('/admin/publication-types', { libelle: 'Bal', slug: 'bal-populaire' })
  expect(next.body.data).toMatchObject({ slug: 'bal-populaire', position })
})

test('routes of publication types return 404, 409, 412 and 422', async () => {
  const path = '/admin/publication-types'
  const { id } = (await admin.post(path, { libelle: 'Loto' })).body.data
  expect(await admin.post(path, { libelle: 'Lôto' })).toBeError(409, 'conflict')
  for (const body of [{}, { libelle: ' ' }, { libelle: '…' }, { libelle: 'X', slug: 'Grand Bal' }])
    expect(await admin.post(path, body)).toBeError(422, 'validation_failed')
  for (const body of [{}, { slug: 'autre' }, { position: 0.5 }])
    expect(await admin.patch(`${path}/${id}`, body)).toBeError(422, 'validation_failed')
  expect(await admin.get(`${path}/${uuidv7()}`)).toBeError(404, 'not_found')
  expect(await admin.patch(`${path}/${uuidv7()}`, { position: 1 })).toBeError(404, 'not_found')
  const stale = { headers: { 'if-match': '"7"' } }
  expect(await admin.patch(`${path}/${id}`, { position: 1 }, stale)).toBeError(412, 'precondition_failed')
  for (const query of [path, `${path}/${id}`])
    expect(await admin.get(`${query}?sort=x`)).toBeError(422, 'validation_failed')
})

test('POST and PATCH /admin/app-sources return 201 and 200; deactivation takes effect immediately', async () => {
  const { id, nom, departement } = await commune()
  const body = { code: 'site-test', label: 'Site', commune_ids: [id.toUpperCase(), id] }
  const made = await admin.post('/admin/app-sources', body)
  expect(made.status).toBe(201)
  expect(made.body.data).toMatchObject({ code: 'site-test', commune_ids: [id], active: true, version: 1 })
  expect(made.body.data).toMatchObject({ communes: [{ id, nom, departement }], own: false })
  const path = '/admin/app-sources/site-test'
  expect((await admin.get(path)).body).toEqual(made.body)
  expect((await admin.get('/admin/app-sources')).body.data).toContainEqual(made.body.data)
  const call = () => get('/publications', { source: 'site-test' })
  expect((await call()).status).toBe(200)
  expect((await admin.patch(path, { active: false })).body.data).toMatchObject({ active: false, version: 2 })
  expect(await call()).toBeError(403, 'scope_violation')
  const open = await admin.patch(path, { active: true, commune_ids: null })
  expect(open.body.data).toMatchObject({ active: true, commune_ids: null, communes: null })
  expect((await call()).status).toBe(200)
})

test('an application that shows a group shows its present members, as they join and leave', async () => {
  const [here, joins, elsewhere] = [await commune(), await commune(), await commune()]
  for (const { id } of [here, joins, elsewhere]) await insertPublication(world, { commune_id: id, title: id })
  const nom = 'CC de l’application'
  const group = (await admin.post('/admin/groups', { nom, kind: 'epci', commune_ids: [here.id] })).body.data
  const path = '/admin/app-sources/site-group'
  const body = { code: 'site-group', label: 'Site', group_id: group.id }
  const made = (await admin.post('/admin/app-sources', body)).body.data
  expect(made).toMatchObject({ group_id: group.id, commune_ids: null, communes: null })
  expect(made.group).toEqual({ id: group.id, slug: group.slug, nom })
  const shown = async () =>
    (await get('/publications', { source: 'site-group' })).body.data.map(
      ({ titre }: { titre: string }) => titre,
    )
  await world.changes?.arrived()
  expect(await shown()).toEqual([here.id])
  await admin.patch(`/admin/groups/${group.id}`, { commune_ids: [here.id, joins.id] })
  await expect.poll(async () => (await shown()).sort()).toEqual([here.id, joins.id].sort())
  await admin.patch(`/admin/groups/${group.id}`, { commune_ids: [] })
  await expect.poll(shown).toEqual([])
  // Without the group it would show everything.
  expect(await admin.delete(`/admin/groups/${group.id}`)).toBeError(409, 'conflict')
  expect((await admin.patch(path, { label: 'Autre' })).body.data).toMatchObject({ group_id: group.id })
  const some = await admin.patch(path, { commune_ids: [elsewhere.id] })
  expect(some.body.data).toMatchObject({ group_id: null, group: null, commune_ids: [elsewhere.id] })
  expect((await admin.patch(path, { group_id: group.id })).body.data).toMatchObject({ commune_ids: null })
  for (const wrong of [{ group_id: uuidv7() }, { group_id: group.id, commune_ids: [here.id] }])
    expect(await admin.patch(path, wrong)).toBeError(422, 'validation_failed')
  expect(await admin.patch('/admin/app-sources/backoffice', { group_id: group.id })).toBeError(
    422,
    'validation_failed',
  )
  expect((await admin.patch(path, { group_id: null })).body.data).toMatchObject({ group_id: null })
  expect((await admin.delete(`/admin/groups/${group.id}`)).status).toBe(200)
})

test("routes of applications return 404, 409, 412 and 422; the service's own one is protected", async () => {
  const path = '/admin/app-sources'
  expect(await admin.post(path, { code: 'public', label: 'Site' })).toBeError(409, 'conflict')
  for (const body of [
    { code: 'Site', label: 'Site' },
    { code: 'site-422', label: '' },
    { code: 'site-422', label: 'Site', commune_ids: [uuidv7()] },
  ])
    expect(await admin.post(path, body)).toBeError(422, 'validation_failed')
  for (const body of [{}, { code: 'autre' }, { active: false }, { commune_ids: [] }])
    expect(await admin.patch(`${path}/backoffice`, body)).toBeError(422, 'validation_failed')
  const own = await admin.patch(`${path}/backoffice`, { label: 'Parvis' })
  expect(own.body.data).toMatchObject({ label: 'Parvis', own: true })
  expect(await admin.get(`${path}/unknown`)).toBeError(404, 'not_found')
  expect(await admin.patch(`${path}/unknown`, { active: true })).toBeError(404, 'not_found')
  const stale = { headers: { 'if-match': '"7"' } }
  expect(await admin.patch(`${path}/public`, { label: 'Public' }, stale)).toBeError(
    412,
    'precondition_failed',
  )
  for (const query of [path, `${path}/public`])
    expect(await admin.get(`${query}?sort=x`)).toBeError(422, 'validation_failed')
})
