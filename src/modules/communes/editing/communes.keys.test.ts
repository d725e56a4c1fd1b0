import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'

const { as, get, db, commune, acteur } = await openWorld()
const admin = await as('admin')

test('returns 409 for the code of a former commune, which leads to the present one', async () => {
  const present = await commune()
  const alias = { code_insee: '98761', commune_id: present.id, nom: 'Ancienne', type: 'deleguee' }
  await db.insertInto('commune_aliases').values(alias).execute()
  const body = { nom: 'Nouvelle', code_insee: '98761', region: '98' }
  expect(await admin.post('/admin/communes', body)).toBeError(409, 'conflict')
  const other = await commune()
  const path = `/admin/communes/${other.id}`
  expect(await admin.patch(path, { code_insee: '98761' })).toBeError(409, 'conflict')
  expect((await admin.patch(path, { code_insee: other.code_insee, nom: 'Autre' })).status).toBe(200)
})

test('finds a commune by its slug however long its name is', async () => {
  const { body } = await admin.post('/admin/communes', {
    nom: 'œ'.repeat(200),
    code_insee: '98762',
    region: '98',
  })
  const { slug } = body.data
  expect(slug.length).toBeLessThanOrEqual(200)
  expect((await get(`/communes/${slug}`)).body.data.slug).toBe(slug)
})

test('ids are case-insensitive: an id in capitals changes nothing and creates no row', async () => {
  const { id: mairie } = await acteur({ type: 'mairie' })
  const { id } = await commune({ mairie_actor_id: mairie })
  const path = `/admin/communes/${id}`
  const infos = [{ cle: 'horaires', libelle: 'Horaires', valeur: '9 h – 12 h' }]
  const { body } = await admin.patch(path, { infos })
  const [info] = body.data.commune_infos
  const again = { mairie_actor_id: mairie.toUpperCase(), infos: [{ ...info, id: info.id.toUpperCase() }] }
  const same = await admin.patch(path, again)
  expect(same.body.data).toEqual(body.data)
})
