import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openMairie } from '../../../../test/support/mairies.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import { insertPublication } from '../../publications/publications.test-kit.ts'
import { subscribersKit } from '../../subscribers/subscribers.test-kit.ts'
import { countActivity } from './counting.ts'

const world = await openWorld()
const { db } = world
const { signal } = new AbortController()
const { subscribe } = subscribersKit(world)
const admin = await world.as('admin')
const { commune: lively, hall, secretary } = await openMairie(world)
const silent = await world.commune({ nom: 'Zonza', code_insee: '2A362', departement: '2A' })
const path = '/admin/communes/activity'
const rowOf = async (id: string) => (await admin.get(`${path}?ids=${id}`)).body.data[0]

test('GET /admin/communes/activity returns 200 without rows until communes were counted', async () => {
  const { status, body } = await admin.get(path)
  expect([status, body.data, body.meta.counted_at]).toEqual([200, [], null])
})

test('GET /admin/communes/activity returns 200 with what each commune shows and who gets it', async () => {
  const publie_le = new Date('2026-03-01T08:00:00Z')
  await insertPublication(world, { id: uuidv7(), publie_le, commune_ids: [lively.id] })
  await insertPublication(world, {
    ...{ id: uuidv7(), publie_le: new Date(Date.now() + 3_600_000), commune_ids: [lively.id, silent.id] },
  })
  const [kept] = await subscribe(3, [lively.id])
  await sql`update resident_choices set confirmed_at = null where subscriber_id = ${kept?.id}`.execute(db)
  await sql`
    insert into collectes (id, commune_id, position, type_dechet, libelle, mode)
    values (${uuidv7()}, ${lively.id}, 1, 'verre', 'Verre', 'apport_volontaire')`.execute(db)
  const begun = new Date()
  await countActivity(db, signal)
  const { body } = await admin.get(`${path}?sort=nom_asc`)
  expect(body.data).toContainEqual({
    ...{ id: lively.id, nom: lively.nom, code_insee: lively.code_insee, departement: lively.departement },
    ...{ last_message_at: publie_le.toISOString(), collectes: 1, subscribers: 2 },
  })
  expect(body.data).toContainEqual({
    ...{ id: silent.id, nom: 'Zonza', code_insee: '2A362', departement: '2A' },
    ...{ last_message_at: null, collectes: 0, subscribers: 0 },
  })
  expect(Date.parse(body.meta.counted_at)).toBeGreaterThanOrEqual(begun.getTime() - 1)
})

test('an alerte of the mairie is a message once it has begun', async () => {
  const alerte = { titre: 'Eau', message: 'Coupée.', niveau: 'info' }
  const debut = new Date(Date.now() + 3_600_000).toISOString()
  await secretary.post(`/mairie/acteurs/${hall.id}/alertes`, { ...alerte, debut })
  const before = (await rowOf(lively.id)).last_message_at
  await countActivity(db, signal)
  expect((await rowOf(lively.id)).last_message_at).toBe(before)
  const { body } = await secretary.post(`/mairie/acteurs/${hall.id}/alertes`, alerte)
  await countActivity(db, signal)
  expect((await rowOf(lively.id)).last_message_at).toBe(body.data.created_at)
})

test('a new name is taken over, and a commune that is gone disappears', async () => {
  const { id } = await world.commune()
  await countActivity(db, signal)
  await admin.patch(`/admin/communes/${id}`, { nom: 'Nouveau Nom' })
  await countActivity(db, signal)
  expect((await rowOf(id)).nom).toBe('Nouveau Nom')
  await sql`delete from communes where id = ${id}`.execute(db)
  await countActivity(db, signal)
  expect(await rowOf(id)).toBeUndefined()
})

test('counting again writes no row that has not changed', async () => {
  const versions = async () => (await sql`select id, xmin from commune_activity order by id`.execute(db)).rows
  const before = await versions()
  await countActivity(db, signal)
  expect(await versions()).toEqual(before)
})

test('GET /admin/communes/activity filters by département and by messages', async () => {
  const namesOf = async (query: string) =>
    (await admin.get(`${path}?${query}`)).body.data.map(({ id }: { id: string }) => id)
  expect(await namesOf('departement=2A')).toEqual([silent.id])
  expect(await namesOf('departement=2A&messages=true')).toEqual([])
  expect(await namesOf('messages=true')).toEqual([lively.id])
  expect(await namesOf('messages=false')).toContain(silent.id)
})

test('GET /admin/communes/activity returns all rows as CSV', async () => {
  const { status, text } = await admin.get(`${path}?departement=2A`, { headers: { accept: 'text/csv' } })
  expect(status).toBe(200)
  expect(text).toContain('Zonza')
})

test('GET /admin/communes/activity returns 403 to moderators and support', async () => {
  for (const role of ['moderator', 'support'] as const)
    expect(await (await world.as(role)).get(path)).toBeError(403, 'admin_required')
})

test('GET /admin/communes/activity returns 422 for an unknown sort or département', async () => {
  expect(await admin.get(`${path}?sort=population_asc`)).toBeError(422, 'validation_failed')
  expect(await admin.get(`${path}?departement=Savoie`)).toBeError(422, 'validation_failed')
})
