import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const { as, acteur, commune } = await openWorld()
const admin = await as('admin')

const found = async (query: string) =>
  (await admin.get(`/admin/acteurs?${query}`)).body.data.map(({ nom }: { nom: string }) => nom)

test('GET /admin/acteurs returns 200 with the newest first, by each filter', async () => {
  const { id } = await commune()
  await acteur({ nom: 'Amis du Château', commune_id: id, valide: true, badge: 'Or, argent' })
  await new Promise((resolve) => setTimeout(resolve, 2))
  await acteur({ nom: 'Bœuf & Fils', type: 'commerce', active: false, can_publish: true })
  await new Promise((resolve) => setTimeout(resolve, 2))
  await acteur({ nom: 'Club disparu', commune_id: id, deleted_at: new Date() })
  const { status, body } = await admin.get('/admin/acteurs')
  expect(status).toBe(200)
  expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 25, total: 2, next: null })
  expect(await found('')).toEqual(['Bœuf & Fils', 'Amis du Château'])
  expect(await found('deleted=false')).toHaveLength(2)
  expect(await found('deleted=true')).toEqual(['Club disparu', 'Bœuf & Fils', 'Amis du Château'])
  expect(await found('deleted=only')).toEqual(['Club disparu'])
  expect(await found(`commune_id=${id}`)).toEqual(['Amis du Château'])
  expect(await found(`commune_id=${uuidv7()}`)).toEqual([])
  expect(await found('type=commerce')).toEqual(['Bœuf & Fils'])
  expect(await found('valide=true')).toEqual(['Amis du Château'])
  expect(await found('valide=false')).toEqual(['Bœuf & Fils'])
  expect(await found('active=false')).toEqual(['Bœuf & Fils'])
  expect(await found('can_publish=true')).toEqual(['Bœuf & Fils'])
  expect(await found('can_publish=false')).toEqual(['Amis du Château'])
  expect(await found(`badge=${encodeURIComponent('Or, argent')}`)).toEqual(['Amis du Château'])
  expect(await found('badge=Or')).toEqual([])
  expect(await found('active=true&deleted=true')).toEqual(['Club disparu', 'Amis du Château'])
  expect(await found('q=chateau')).toEqual(['Amis du Château'])
  expect(await found('q=boeuf')).toEqual(['Bœuf & Fils'])
  expect(await found(`q=${encodeURIComponent('BŒUF fi')}`)).toEqual(['Bœuf & Fils'])
  expect(await found('q=hateau')).toEqual([])
  expect(await found('q=…')).toHaveLength(2)
  expect(await found(`q=${encodeURIComponent('東京')}`)).toEqual([])
  expect(await found('per_page=1&page=2')).toEqual(['Amis du Château'])
})

test('GET /admin/acteurs returns 200 in each order, by several values, and by ids', async () => {
  const types = ['ecole', 'service', 'commerce'] as const
  const made = []
  for (const [index, nom] of ['Zèbre', 'âne', 'Mule'].entries()) {
    const valide = index > 0
    made.push((await acteur({ nom, type: types[index] ?? 'autre', valide, active: index < 2 })).id)
  }
  const ids = `ids=${made.join(',').toUpperCase()}`
  expect(await found(ids)).toEqual(['Mule', 'âne', 'Zèbre'])
  expect(await found(`${ids}&sort=created_at_asc`)).toEqual(['Zèbre', 'âne', 'Mule'])
  expect(await found(`${ids}&sort=nom_asc`)).toEqual(['âne', 'Mule', 'Zèbre'])
  expect(await found(`${ids}&sort=nom_desc`)).toEqual(['Zèbre', 'Mule', 'âne'])
  expect(await found(`${ids}&sort=type_asc`)).toEqual(['Mule', 'Zèbre', 'âne'])
  expect(await found(`${ids}&sort=type_desc`)).toEqual(['âne', 'Zèbre', 'Mule'])
  expect(await found(`${ids}&type=ecole,commerce`)).toEqual(['Mule', 'Zèbre'])
  expect(await found(`${ids}&type=ecole&type=commerce`)).toEqual(['Mule', 'Zèbre'])
  expect(await found(`${ids}&valide=true,false`)).toHaveLength(3)
  expect(await found(`${ids}&valide=true&valide=true,false`)).toHaveLength(3)
  expect(await found(made.map((id) => `ids=${id.toUpperCase()}`).join('&'))).toHaveLength(3)
  expect(await found(`${ids}&valide=true,true&active=true`)).toEqual(['âne'])
  expect(await found(`ids=${made[0]},${uuidv7()}`)).toEqual(['Zèbre'])
})

test.each([
  'sort=badge_asc',
  'ids=12',
  'type=ecole,club',
  'deleted=yes',
  'valide=1',
  'can_publish=1',
  'badge=%20',
  'badge=Or&badge=Argent',
  'type=club',
  'commune_id=12',
  'per_page=0',
  'per_page=1&per_page=2',
  `type=${'ecole,'.repeat(20)}ecole`,
])('GET /admin/acteurs returns 422 for %s', async (query) => {
  expect(await admin.get(`/admin/acteurs?${query}`)).toBeError(422, 'validation_failed')
})

test('GET /admin/acteurs returns 200 with the commune of each, and GET /admin/acteurs/{id} too', async () => {
  const town = await commune({ nom: 'Aval' })
  const [here, nowhere] = [await acteur({ commune_id: town.id }), await acteur()]
  const { body } = await admin.get(`/admin/acteurs?ids=${here.id},${nowhere.id}&sort=created_at_asc`)
  const named = { id: town.id, slug: town.slug, nom: 'Aval' }
  expect(body.data).toMatchObject([
    { id: here.id, commune: named },
    { id: nowhere.id, commune: null },
  ])
  expect((await admin.get(`/admin/acteurs/${here.id}`)).body.data).toMatchObject({ commune: named })
})
