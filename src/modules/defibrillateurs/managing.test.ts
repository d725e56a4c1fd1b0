import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import { insertDefibrillateur } from './defibrillateurs.test-kit.ts'

const { as, db, get, commune } = await openWorld()
const admin = await as('admin')
const { id: communeId } = await commune({ code_insee: '73065' })
const ofCommune = `/admin/communes/${communeId}/defibrillateurs`
const insert = (values: Parameters<typeof insertDefibrillateur>[1]) => insertDefibrillateur(db, values)
const gids = (answer: { body: { data: { gid: string }[] } }) => answer.body.data.map(({ gid }) => gid)
const here = { code_insee: '73065', commune_nom: 'Chambéry' }
const day = (number: number) => new Date(Date.UTC(2026, 0, number))
const a = await insert({ ...here, gid: 'a', nom: 'Alpes', mis_a_jour_le: day(1) })
const b = await insert({ ...here, gid: 'b', nom: 'Bains', mis_a_jour_le: day(3), absent_depuis: day(9) })
await insert({ ...here, gid: 'c', nom: 'Crypte', etat_fonctionnement: 'Hors service', retenu: false })
await insert({
  gid: 'd',
  nom: 'Dune',
  commune_nom: 'Arcachon',
  mis_a_jour_le: day(2),
  statut_admin_france: 'masque',
})

test('GET /admin/communes/{id}/defibrillateurs returns 200 with all of the commune and the sync result', async () => {
  const answer = await admin.get(ofCommune)
  expect(answer.status).toBe(200)
  expect(gids(answer)).toEqual(['a', 'b', 'c'])
  expect(answer.body.meta).toEqual({
    current_page: 1,
    last_page: 1,
    per_page: 25,
    total: 3,
    next: null,
    last_synced_at: null,
    sync_status: null,
    sync_error: null,
  })
  expect(answer.body.data[1]).toMatchObject({
    id: b.id,
    statut_admin: 'actif',
    note: null,
    statut_admin_commune: 'actif',
    statut_admin_france: 'actif',
    absent_depuis: day(9).toISOString(),
    version: 1,
    ouvert: null,
  })
})

test('GET /admin/communes/{id}/defibrillateurs returns 404 for an unknown commune', async () => {
  expect(await admin.get(`/admin/communes/${uuidv7()}/defibrillateurs`)).toBeError(404, 'not_found')
})

test('GET /admin/communes/{id}/defibrillateurs returns 422 for unknown parameters', async () => {
  expect(await admin.get(`${ofCommune}?statut_admin=inconnu`)).toBeError(422, 'validation_failed')
  expect(await admin.get(`${ofCommune}?code_insee=73065`)).toBeError(422, 'validation_failed')
})

test.each([
  ['', ['a', 'b', 'c', 'd']],
  ['sort=nom_desc', ['d', 'c', 'b', 'a']],
  ['sort=commune_nom_asc', ['d', 'a', 'b', 'c']],
  ['sort=commune_nom_desc', ['c', 'b', 'a', 'd']],
  ['sort=mis_a_jour_le_desc', ['b', 'd', 'a', 'c']],
  ['sort=mis_a_jour_le_asc', ['a', 'd', 'b', 'c']],
  ['q=bain', ['b']],
  ['code_insee=73065', ['a', 'b', 'c']],
  ['statut_admin=masque', ['d']],
  ['statut_admin=masque,actif', ['a', 'b', 'c', 'd']],
  ['etat_fonctionnement=Hors service', ['c']],
  ['etat_fonctionnement=Hors service,En fonctionnement', ['a', 'b', 'c', 'd']],
  ['absent=true', ['b']],
  ['absent=false', ['a', 'c', 'd']],
  ['absent=true,false', ['a', 'b', 'c', 'd']],
  [`ids=${a.id},${b.id}&absent=true`, ['b']],
])('GET /admin/defibrillateurs-france returns 200: %s', async (query, found) => {
  const answer = await admin.get(`/admin/defibrillateurs-france?${query}`)
  expect(gids(answer)).toEqual(found)
  expect(answer.body.meta.total).toBe(found.length)
})

test.each(['sort=gid_asc', 'absent=oui', 'etat_fonctionnement=Cassé', 'rayon=3', 'ids=1'])(
  'GET /admin/defibrillateurs-france returns 422: %s',
  async (query) => {
    expect(await admin.get(`/admin/defibrillateurs-france?${query}`)).toBeError(422, 'validation_failed')
  },
)

const levels = [
  ['defibrillateurs', 'commune', 'france'],
  ['defibrillateurs-france', 'france', 'commune'],
] as const

test.each(levels)(
  'PATCH /admin/%s/{id} returns 200, and the device is public only while both levels allow it',
  async (route, own, other) => {
    const { id, code_insee } = await insert({ code_insee: (await commune()).code_insee })
    const shown = async () => (await get(`/defibrillateurs?code_insee=${code_insee}`)).body.meta.total
    const path = `/admin/${route}/${id}`
    expect(await shown()).toBe(1)
    const answer = await admin.patch(path, { statut_admin: 'masque', note: 'Volé' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).toBe('"2"')
    expect(answer.body.data).toMatchObject({
      id,
      statut_admin: 'masque',
      note: 'Volé',
      [`statut_admin_${own}`]: 'masque',
      [`statut_admin_${other}`]: 'actif',
      version: 2,
    })
    expect(await shown()).toBe(0)
    const kept = await admin.patch(path, { statut_admin: 'actif' })
    expect(kept.body.data).toMatchObject({ statut_admin: 'actif', note: 'Volé', version: 3 })
    expect(await shown()).toBe(1)
    const emptied = await admin.patch(path, { statut_admin: 'actif', note: null })
    expect(emptied.body.data).toMatchObject({ note: null, version: 4 })
  },
)

test.each(levels)('PATCH /admin/%s/{id} returns 404, 412 and 422', async (route) => {
  const { id } = await insert({})
  const path = `/admin/${route}/${id}`
  const body = { statut_admin: 'masque' }
  expect(await admin.patch(`/admin/${route}/${uuidv7()}`, body)).toBeError(404, 'not_found')
  expect(await admin.patch(path, body, { headers: { 'if-match': '"7"' } })).toBeError(
    412,
    'precondition_failed',
  )
  for (const wrong of [{}, { statut_admin: 'supprime' }, { ...body, note: 3 }, { ...body, nom: 'x' }])
    expect(await admin.patch(path, wrong)).toBeError(422, 'validation_failed')
})

test('GET /admin/defibrillateurs-france/{id} returns 200 with both levels, the commune and whether it is public', async () => {
  const here = await commune({ nom: 'Aval' })
  const { id } = await insert({
    code_insee: here.code_insee,
    note_commune: 'Dans le hall',
    note_france: 'Vérifié',
    statut_admin_commune: 'a_verifier',
  })
  const answer = await admin.get(`/admin/defibrillateurs-france/${id}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('etag')).toBe('"1"')
  expect(answer.body.data).toMatchObject({
    id,
    statut_admin: 'actif',
    note: 'Vérifié',
    note_commune: 'Dans le hall',
    statut_admin_commune: 'a_verifier',
    commune: { id: here.id, nom: 'Aval' },
    retenu: true,
    public: false,
    can: ['edit'],
    present: [],
  })
  const elsewhere = await insert({ code_insee: null })
  const other = await admin.get(`/admin/defibrillateurs-france/${elsewhere.id}`)
  expect(other.body.data).toMatchObject({ commune: null, note_commune: null, public: true })
})

test('GET /admin/defibrillateurs-france/{id} returns 404', async () => {
  for (const id of [uuidv7(), 'x'])
    expect(await admin.get(`/admin/defibrillateurs-france/${id}`)).toBeError(404, 'not_found')
})

test('PATCH /admin/defibrillateurs/{id} returns 404 and 422', async () => {
  const { id } = await insert({})
  expect(await admin.patch(`/admin/defibrillateurs/${uuidv7()}`, { statut_admin: 'actif' })).toBeError(
    404,
    'not_found',
  )
  expect(await admin.patch(`/admin/defibrillateurs/${id}`, {})).toBeError(422, 'validation_failed')
})

test('GET /admin/communes/{id}/full returns 200 with its defibrillators and their count', async () => {
  const { body } = await admin.get(`/admin/communes/${communeId}/full`)
  expect(body.data.defibrillateurs).toEqual((await admin.get(ofCommune)).body.data)
  expect(body.data.counts.defibrillateurs).toBe(3)
})
