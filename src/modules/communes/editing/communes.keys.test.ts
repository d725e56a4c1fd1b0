import { expect, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { insertDefibrillateur } from '../../defibrillateurs/defibrillateurs.test-kit.ts'

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

test('keeps the defibrillators of a commune whose code is corrected, and adds those of the new code', async () => {
  const { id, code_insee } = await commune()
  const after = '98770'
  const kept = await insertDefibrillateur(db, { nom: 'A', code_insee, registre_code: code_insee })
  const added = await insertDefibrillateur(db, { nom: 'B', registre_code: after })
  const other = await insertDefibrillateur(db, { nom: 'C', code_insee: '98771', registre_code: '98771' })
  const shown = async () =>
    (await get(`/communes/${id}/defibrillateurs`)).body.defibrillateurs.map((one: { id: string }) => one.id)
  expect(await shown()).toEqual([kept.id])
  const path = `/admin/communes/${id}`
  expect((await admin.patch(path, { nom: 'Corrigée' })).status).toBe(200)
  expect(await shown()).toEqual([kept.id])
  const { status, body } = await admin.patch(path, { code_insee: after })
  expect(status).toBe(200)
  expect(await shown()).toEqual([kept.id, added.id])
  expect(body.data.counts.defibrillateurs).toBe(2)
  // A code that is taken changes nothing.
  const { code_insee: taken } = await commune()
  expect(await admin.patch(path, { code_insee: taken })).toBeError(409, 'conflict')
  expect(await shown()).toEqual([kept.id, added.id])
  const untouched = await db
    .selectFrom('defibrillateurs')
    .select('version')
    .where('id', '=', other.id)
    .execute()
  expect(untouched).toEqual([{ version: 1 }])
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
