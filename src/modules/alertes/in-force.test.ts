import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const { get, acteur, commune, db, setClock } = await openWorld()
setClock('2026-11-20T12:00:00.000Z')

let made = 0

async function alerte(titre: string, values: object) {
  const created_at = new Date(Date.UTC(2026, 10, 1) + ++made * 60_000)
  await db
    .insertInto('alertes')
    .values({ id: uuidv7(), titre, message: 'Texte.', niveau: 'info', created_at, ...values })
    .execute()
}

const titles = async (communeId: string, query = '') => {
  const { status, body } = await get(`/communes/${communeId}/alertes${query}`)
  expect(status).toBe(200)
  return body.data.map(({ titre }: { titre: string }) => titre)
}

test('GET /communes/{communeId}/alertes returns 200 with alerts of the commune and its mairie, newest first', async () => {
  const hall = await acteur({ type: 'mairie' })
  const { id } = await commune({ mairie_actor_id: hall.id })
  const neighbour = await acteur({ type: 'mairie' })
  const { id: beside } = await commune({ mairie_actor_id: neighbour.id })
  await alerte('de la commune', { commune_id: id })
  await alerte('de la mairie', { acteur_id: hall.id })
  await alerte('voisine', { commune_id: beside })
  await alerte('du voisin', { acteur_id: neighbour.id })
  await alerte('encore', { commune_id: id })
  const answer = await get(`/communes/${id}/alertes`)
  expect(answer.body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 3 })
  expect(answer.body.data[0]).toEqual({
    id: expect.any(String),
    commune_id: id,
    acteur_id: null,
    commune_ids: [],
    group: null,
    titre: 'encore',
    message: 'Texte.',
    niveau: 'info',
    debut: null,
    fin: null,
    created_at: expect.stringMatching(/Z$/),
  })
  expect(await titles(id)).toEqual(['encore', 'de la mairie', 'de la commune'])
  expect(await titles(id, '?per_page=2&page=2')).toEqual(['de la commune'])
  const headers = { 'if-none-match': answer.headers.get('etag') ?? '' }
  expect((await get(`/communes/${id}/alertes`, { headers })).status).toBe(304)
})

test('an alert is in force from its start to its end, each of which may be missing', async () => {
  const { id } = await commune()
  const at = (time: string) => `2026-11-20T${time}Z`
  await alerte('toujours', { commune_id: id })
  await alerte('commencée', { commune_id: id, debut: at('12:00:00.000') })
  await alerte('à venir', { commune_id: id, debut: at('12:00:00.001') })
  await alerte('pas finie', { commune_id: id, debut: at('08:00:00.000'), fin: at('12:00:00.001') })
  await alerte('finie', { commune_id: id, fin: at('12:00:00.000') })
  expect(await titles(id)).toEqual(['pas finie', 'commencée', 'toujours'])
})

test.each([
  ['deleted', { deleted_at: new Date() }],
  ['inactive', { active: false }],
])('alerts of a mairie that is %s are hidden; those of the commune stay', async (_state, values) => {
  const hall = await acteur({ type: 'mairie', ...values })
  const { id } = await commune({ mairie_actor_id: hall.id })
  await alerte('de la mairie', { acteur_id: hall.id })
  await alerte('de la commune', { commune_id: id })
  expect(await titles(id)).toEqual(['de la commune'])
})

test('GET /communes/{communeId}/alertes returns 200 and an empty list without alerts', async () => {
  expect(await titles((await commune()).id)).toEqual([])
})

test('GET /communes/{communeId}/alertes returns 404 for an unknown commune and 422 for an invalid page', async () => {
  for (const id of [uuidv7(), '12']) expect(await get(`/communes/${id}/alertes`)).toBeError(404, 'not_found')
  const { id } = await commune()
  expect(await get(`/communes/${id}/alertes?page=0`)).toBeError(422, 'validation_failed')
})
