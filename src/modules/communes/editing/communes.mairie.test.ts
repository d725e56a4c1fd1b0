import { expect, test } from 'vitest'
import { openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'

const world = await openWorld()
const { acteur, commune, user, as, client, db, get } = world
const admin = await as('admin')
const { commune: town, hall, owner, secretary, publisher, writer, clubOwner } = await openMairie(world)
const path = `/mairie/communes/${town.id}`
const yellow = { type_dechet: 'emballages', libelle: 'Bac jaune', mode: 'porte_a_porte', jours: ['mardi'] }
const lists = {
  infos: [{ cle: 'horaires', libelle: 'Horaires', valeur: 'Lundi au vendredi' }],
  collectes: [yellow],
  elus: [{ nom: 'Vauquelin', prenom: 'Odile', fonction: 'Maire' }],
}

test('PATCH /mairie/communes/{communeId} replaces the lists given, as administrators and the public see them', async () => {
  const { status, body, headers } = await secretary.patch(path, lists)
  expect(status).toBe(200)
  expect(body.data).toMatchObject({
    id: town.id,
    can: ['edit'],
    commune_infos: [{ cle: 'horaires', valeur: 'Lundi au vendredi' }],
    collectes: [{ libelle: 'Bac jaune', prochaines: expect.any(Array) }],
    elus: [{ nom: 'Vauquelin' }],
  })
  expect(headers.get('etag')).toBe(`"${body.data.version}"`)
  expect(Object.keys(body.data)).not.toContain('defibrillateurs')
  expect(Object.keys(body.data)).not.toContain('counts')
  expect((await secretary.get(path)).body.data).toEqual(body.data)
  const full = (await admin.get(`/admin/communes/${town.id}/full`)).body.data
  expect(full).toMatchObject({ version: body.data.version, elus: body.data.elus })
  expect((await get(`/communes/${town.id}/collectes`)).body.data).toHaveLength(1)
  expect((await owner.patch(path, { elus: [] })).body.data).toMatchObject({ elus: [], collectes: [{}] })
})

test('PATCH /mairie/communes/{communeId} returns 403 to members without manage_commune, who read it', async () => {
  for (const by of [publisher, writer]) {
    expect(await by.patch(path, { elus: [] })).toBeError(403, 'forbidden')
    expect((await by.get(path)).body.data.can).toEqual([])
  }
  expect(await clubOwner.get(path)).toBeError(403, 'scope_violation')
  expect(await secretary.get('/mairie/communes/0199c9a3-5b8e-7cc1-9d2e-4f6a7b8c9d0e')).toBeError(
    404,
    'not_found',
  )
})

test('PATCH /mairie/communes/{communeId} returns 422 for other fields, and by the rules of the back-office', async () => {
  for (const body of [
    { nom: 'Autre' },
    { mairie_actor_id: null },
    { population: 12 },
    { infos: [{ cle: 'site_web', libelle: 'Site', valeur: 'example' }] },
    { collectes: [{ ...yellow, exceptions: Array(2).fill({ date: '2026-12-25', reportee_au: null }) }] },
    { elus: [{ id: town.id, nom: 'Vauquelin', prenom: 'Odile', fonction: 'Maire' }] },
  ])
    expect(await secretary.patch(path, body), JSON.stringify(body)).toBeError(422, 'validation_failed')
})

test('of two people on one list of collections, the second gets 412 and reads what the first wrote', async () => {
  const version = (await secretary.get(path)).headers.get('etag') ?? ''
  const options = { headers: { 'if-match': version } }
  const [one, other] = [
    { ...yellow, libelle: 'Du matin' },
    { ...yellow, libelle: 'Du soir' },
  ]
  expect((await secretary.patch(path, { collectes: [one] }, options)).status).toBe(200)
  expect(await owner.patch(path, { collectes: [other] }, options)).toBeError(412, 'precondition_failed')
  expect((await owner.get(path)).body.data.collectes).toMatchObject([{ libelle: 'Du matin' }])
})

test('the members of a mairie that is no longer the commune’s get 403', async () => {
  const place = await openMairie(world)
  const at = `/mairie/communes/${place.commune.id}`
  expect((await place.secretary.patch(at, { infos: [] })).status).toBe(200)
  const other = await acteur({ type: 'mairie' })
  await admin.patch(`/admin/communes/${place.commune.id}`, { mairie_actor_id: other.id })
  expect(await place.secretary.patch(at, { infos: [] })).toBeError(403, 'scope_violation')
  expect(await place.secretary.get(at)).toBeError(403, 'scope_violation')
})

test('an application restricted to other communes gets 403', async () => {
  const ids = [(await commune()).id]
  await db.insertInto('app_sources').values({ code: 'near', label: 'Near', commune_ids: ids }).execute()
  const { token } = await user({ memberships: [{ acteur: hall, role: 'owner' }] })
  const near = client({ source: 'near', token })
  expect(await near.get(path)).toBeError(403, 'scope_violation')
  expect(await near.patch(path, { infos: [] })).toBeError(403, 'scope_violation')
  await db
    .updateTable('app_sources')
    .set({ commune_ids: [town.id] })
    .where('code', '=', 'near')
    .execute()
  expect((await near.get(path)).status).toBe(200)
})

test('POST /mairie/communes/{communeId}/collectes/preview returns 200 with the dates, 403 without manage_commune', async () => {
  const body = { jours: ['mardi'], du: '2026-11-20', au: '2026-12-20' }
  const { status, body: answer } = await secretary.post(`${path}/collectes/preview`, body)
  expect(status).toBe(200)
  expect(answer.data.jours.map(({ date }: { date: string }) => date)).toContain('2026-12-01')
  expect(await writer.post(`${path}/collectes/preview`, body)).toBeError(403, 'forbidden')
  expect(await secretary.post(`${path}/collectes/preview`, { ...body, commune_id: town.id })).toBeError(
    422,
    'validation_failed',
  )
})

test('GET /mairie/communes/{communeId} returns 422 for any parameter', async () => {
  expect(await secretary.get(`${path}?page=1`)).toBeError(422, 'validation_failed')
})
