import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { insertAddresses } from '../addresses/addresses.test-kit.ts'
import { insertDefibrillateur } from './defibrillateurs.test-kit.ts'

const world = await openWorld()
const { db, get, commune } = world
const insert = (values: Parameters<typeof insertDefibrillateur>[1]) => insertDefibrillateur(db, values)
// A Wednesday, half past eight in Paris.
world.setClock('2026-11-18T07:30:00Z')
const chambery = await commune({ nom: 'Chambéry', code_insee: '73065', codes_postaux: ['73000'] })
await db
  .insertInto('commune_aliases')
  .values({ code_insee: '73998', commune_id: chambery.id, nom: 'Bissy', type: 'associee' })
  .execute()
const there = { code_insee: '73065', code_postal: '73000', commune_nom: 'Chambéry' }
const gids = (answer: { body: { data: { gid: string }[] } }) => answer.body.data.map(({ gid }) => gid)

const hall = await insert({
  ...there,
  gid: 'hall',
  nom: 'Hôtel de Ville',
  adresse: '1 Place de l’Hôtel de Ville',
  latitude: 45.5661,
  longitude: 5.9208,
  acces: 'Extérieur',
  acces_libre: true,
  etage: '0',
  disponibilite: '24/7',
  date_installation: '2019-11-18',
  mis_a_jour_le: new Date('2023-04-11T19:30:44.302Z'),
})
await insert({
  ...there,
  gid: 'pool',
  nom: 'Piscine',
  latitude: 45.57,
  longitude: 5.93,
  disponibilite: 'Mo-Fr 12:00-20:00',
})
await insert({
  ...there,
  gid: 'gym',
  nom: 'Gymnase',
  latitude: 45.58,
  longitude: 5.94,
  disponibilite: 'sur demande',
})
await insert({ ...there, gid: 'hidden-here', statut_admin_commune: 'masque' })
await insert({ ...there, gid: 'hidden-france', statut_admin_france: 'a_verifier' })
await insert({ ...there, gid: 'gone', absent_depuis: new Date() })
await insert({ ...there, gid: 'broken', retenu: false, etat_fonctionnement: 'Hors service' })
await insert({ gid: 'far', nom: 'Mairie de Nice', commune_nom: 'Nice', latitude: 43.7, longitude: 7.26 })

test("GET /communes/{id}/defibrillateurs returns 200 with the commune's active devices, by name", async () => {
  const { status, body, headers } = await get(`/communes/${chambery.id}/defibrillateurs`)
  expect(status).toBe(200)
  expect(body.defibrillateurs.map(({ gid }: { gid: string }) => gid)).toEqual(['gym', 'hall', 'pool'])
  expect(body.meta).toEqual({ count: 3, last_synced_at: null, sync_status: null })
  expect(body.defibrillateurs[1]).toEqual({
    id: hall.id,
    gid: 'hall',
    nom: 'Hôtel de Ville',
    adresse: '1 Place de l’Hôtel de Ville',
    ...there,
    latitude: 45.5661,
    longitude: 5.9208,
    acces: 'Extérieur',
    acces_libre: true,
    etage: '0',
    acces_complement: null,
    disponibilite: '24/7',
    disponibilite_complement: null,
    ouvert: true,
    etat_fonctionnement: 'En fonctionnement',
    photo_url: null,
    date_installation: '2019-11-18',
    mis_a_jour_le: '2023-04-11T19:30:44.302Z',
  })
  expect(headers.get('etag')).toMatch(/^(W\/)?"/)
})

test('GET /communes/{id}/defibrillateurs returns 404 for an unknown or malformed id', async () => {
  for (const id of [uuidv7(), '12'])
    expect(await get(`/communes/${id}/defibrillateurs`)).toBeError(404, 'not_found')
})

test("a commune's sync state is the later of its own and the national one", async () => {
  const { id } = await commune()
  const at = (day: number) => new Date(Date.UTC(2026, 10, day))
  const sync = (commune_id: string | null, day: number, error: string | null = null) => ({
    id: uuidv7(),
    commune_id,
    source: 'registre',
    status: error ? 'failed' : 'succeeded',
    error,
    finished_at: at(day),
  })
  const meta = async () => (await get(`/communes/${id}/defibrillateurs`)).body.meta
  const other = (await commune()).id
  await db
    .insertInto('defibrillateur_syncs')
    .values([sync(id, 1), sync(other, 9)])
    .execute()
  expect(await meta()).toMatchObject({ last_synced_at: at(1).toISOString(), sync_status: 'succeeded' })
  await db
    .insertInto('defibrillateur_syncs')
    .values([sync(null, 3)])
    .execute()
  expect(await meta()).toMatchObject({ last_synced_at: at(3).toISOString(), sync_status: 'succeeded' })
  await db
    .insertInto('defibrillateur_syncs')
    .values([sync(id, 4, 'broken')])
    .execute()
  expect(await meta()).toEqual({ count: 0, last_synced_at: at(3).toISOString(), sync_status: 'failed' })
  await db.deleteFrom('defibrillateur_syncs').execute()
})

test('GET /defibrillateurs returns 200 with the active devices of France, by name', async () => {
  const answer = await get('/defibrillateurs')
  expect(gids(answer)).toEqual(['gym', 'hall', 'far', 'pool'])
  expect(answer.body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 4 })
  expect(answer.body.data[0]).not.toHaveProperty('distance_m')
})

test.each([
  ['hotel', ['hall']],
  ['HÔTEL chamb', ['hall']],
  ['chambery piscine', ['pool']],
  ['73000', ['gym', 'hall', 'pool']],
  ['ville place', ['hall']],
  ['nice', ['far']],
  ['otel', []],
  ['…', ['gym', 'hall', 'far', 'pool']],
  ['%_', ['gym', 'hall', 'far', 'pool']],
])('GET /defibrillateurs matches word prefixes: %s', async (q, found) => {
  const answer = await get(`/defibrillateurs?q=${encodeURIComponent(q)}`)
  expect(gids(answer)).toEqual(found)
  expect(answer.body.meta.total).toBe(found.length)
})

test('GET /defibrillateurs takes words that no device has for a commune or an address, the nearest first', async () => {
  await insertAddresses(db, '73065;Rue Basse;12;;5.94;45.58')
  const near = { nom: '12 Rue Basse, Chambéry', latitude: 45.58, longitude: 5.94 }
  for (const q of ['12 rue basse chambéry', 'r. basse 12 73000', '12 rue basse']) {
    const answer = await get(`/defibrillateurs?per_page=2&q=${encodeURIComponent(q)}`)
    expect(gids(answer)).toEqual(['gym', 'pool'])
    expect(answer.body.data[0].distance_m).toBe(0)
    expect(answer.body.meta).toEqual({ current_page: 1, last_page: 2, per_page: 2, total: 3, near })
  }
  const street = await get(`/defibrillateurs?q=${encodeURIComponent('14 rue basse, chambéry')}`)
  expect(street.body.meta.near.nom).toBe('Rue Basse, Chambéry')
  const none = await get('/defibrillateurs?q=rue+haute+chambery')
  expect(none.body).toMatchObject({ data: [], meta: { total: 0 } })
  expect(none.body.meta).not.toHaveProperty('near')
  expect(gids(await get('/defibrillateurs?q=12+rue+basse&code_insee=73065'))).toEqual([])
})

test('GET /defibrillateurs accepts a code, also of a former commune', async () => {
  for (const code of ['73065', '73998'])
    expect(gids(await get(`/defibrillateurs?code_insee=${code}`))).toEqual(['gym', 'hall', 'pool'])
  expect(gids(await get('/defibrillateurs?code_insee=99999'))).toEqual([])
})

test('GET /defibrillateurs lists the nearest first, with the distance, within the radius', async () => {
  const answer = await get('/defibrillateurs?lat=45.58&lon=5.94')
  expect(gids(answer)).toEqual(['gym', 'pool', 'hall'])
  expect(answer.body.data.map(({ distance_m }: { distance_m: number }) => distance_m)).toEqual([
    0, 1357, 2150,
  ])
  const near = await get('/defibrillateurs?lat=45.58&lon=5.94&rayon=1400&per_page=1&page=2')
  expect(gids(near)).toEqual(['pool'])
  expect(near.body.meta).toEqual({ current_page: 2, last_page: 2, per_page: 1, total: 2 })
  expect(gids(await get('/defibrillateurs?lat=45.58&lon=5.94&q=hotel'))).toEqual(['hall'])
})

test('GET /defibrillateurs orders by true distance where a degree of longitude is much shorter than one of latitude', async () => {
  // At 48° N a hundredth of a degree is 744 m to the east and 1 112 m to the north.
  await insert({ gid: 'east', nom: 'zz', latitude: 48, longitude: -4.987 })
  await insert({ gid: 'north', nom: 'zz', latitude: 48.01, longitude: -5 })
  const answer = await get('/defibrillateurs?lat=48&lon=-5')
  expect(gids(answer)).toEqual(['east', 'north'])
  expect(answer.body.data.map(({ distance_m }: { distance_m: number }) => distance_m)).toEqual([967, 1112])
})

test('GET /defibrillateurs with ouvert=true omits only devices known to be closed now, with consistent pages', async () => {
  const around = '/defibrillateurs?lat=45.58&lon=5.94&ouvert=true'
  const answer = await get(around)
  expect(answer.body.data.map(({ gid, ouvert }: { gid: string; ouvert: boolean }) => [gid, ouvert])).toEqual([
    ['gym', null],
    ['hall', true],
  ])
  expect(answer.body.meta.total).toBe(2)
  expect(gids(await get(`${around}&per_page=1&page=2`))).toEqual(['hall'])
  expect(gids(await get('/defibrillateurs?code_insee=73065&ouvert=true'))).toEqual(['gym', 'hall'])
  expect(gids(await get('/defibrillateurs?code_insee=73065&ouvert=false'))).toEqual(['gym', 'hall', 'pool'])
  world.setClock('2026-11-18T12:00:00Z')
  expect(gids(await get(around))).toEqual(['gym', 'pool', 'hall'])
  world.setClock('2026-11-18T07:30:00Z')
})

test('GET /defibrillateurs uses the local time of the place, in the Pacific too', async () => {
  const noumea = { latitude: -22.27, longitude: 166.44, disponibilite: 'We 18:00-19:00' }
  await insert({ ...noumea, gid: 'noumea', nom: 'zz', code_insee: '98818' })
  await insert({ ...noumea, gid: 'postal-noumea', nom: 'zz', code_postal: '98800' })
  const pacific = await get('/defibrillateurs?lat=-22.27&lon=166.44&ouvert=true')
  expect(pacific.body.data.map(({ ouvert }: { ouvert: boolean }) => ouvert)).toEqual([true, true])
  const cayenne = { latitude: 4.93, longitude: -52.33, disponibilite: 'Mo-Fr 04:00-05:00' }
  await insert({ ...cayenne, gid: 'cayenne', nom: 'zz', code_insee: '97302' })
  await insert({ ...cayenne, gid: 'postal', nom: 'zz', code_postal: '97300' })
  await insert({ ...cayenne, gid: 'nowhere', nom: 'zz' })
  const { body } = await get('/defibrillateurs?lat=4.93&lon=-52.33&ouvert=true')
  const open = Object.fromEntries(
    body.data.map((row: { gid: string; ouvert: boolean }) => [row.gid, row.ouvert]),
  )
  expect(open).toEqual({ cayenne: true, postal: true, nowhere: null })
  world.setClock('2026-11-18T09:30:00Z')
  expect(gids(await get('/defibrillateurs?lat=4.93&lon=-52.33&ouvert=true'))).toEqual(['nowhere'])
  world.setClock('2026-11-18T07:30:00Z')
})

test.each([
  ['lat=45', 'lon'],
  ['lon=5', 'lat'],
  ['rayon=500', 'lat'],
  ['ouvert=true', 'ouvert'],
  ['lat=91&lon=0', 'lat'],
  ['lat=x&lon=0', 'lat'],
  ['lat=45&lon=5&rayon=0', 'rayon'],
  ['lat=45&lon=5&rayon=50001', 'rayon'],
  ['code_insee=x', 'code_insee'],
  ['page=0', 'page'],
  ['ouvert=oui', 'ouvert'],
])('GET /defibrillateurs returns 422: %s', async (query, field) => {
  const answer = await get(`/defibrillateurs?${query}`)
  expect(answer).toBeError(422, 'validation_failed')
  expect(answer.body.details.map((problem: { field: string }) => problem.field)).toContain(field)
})

test('GET /defibrillateurs returns 200 with closed or unknown for ambiguous opening hours', async () => {
  const { id } = await commune({ nom: 'Ugine', code_insee: '73303' })
  // It is Wednesday, half past eight.
  const hours = {
    'Mo-Su 08:00-20:00, We off': false,
    '18:00-10:00; We 12:00-14:00': null,
    'Mo-Su 08:00-20:00, Th off': true,
  }
  for (const disponibilite of Object.keys(hours))
    await insert({ gid: uuidv7(), code_insee: '73303', disponibilite })
  const { body } = await get('/defibrillateurs?code_insee=73303')
  type Shown = { disponibilite: string; ouvert: boolean | null }
  expect(Object.fromEntries(body.data.map((row: Shown) => [row.disponibilite, row.ouvert]))).toEqual(hours)
  expect((await get('/defibrillateurs?code_insee=73303&ouvert=true')).body.meta.total).toBe(2)
  expect((await get(`/communes/${id}/defibrillateurs`)).body.meta.count).toBe(3)
})
