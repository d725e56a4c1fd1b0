import { expect, test } from 'vitest'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const { acteur, commune, user, as, client, get, db, setClock } = await openWorld()
setClock('2026-11-20T12:00:00.000Z')
const hall = await acteur({ type: 'mairie', nom: 'Mairie d’Aval' })
const town = await commune({ nom: 'Aval', mairie_actor_id: hall.id })
const { token } = await user({ memberships: [{ acteur: hall, permissions: ['manage_commune'] }] })
const member = client({ source: 'mairie', token })
const admin = await as('admin')
const water = { titre: 'Eau non potable', message: 'Ne la buvez pas.', niveau: 'urgence' }

const places = [
  { name: 'communes/{communeId}', path: `/mairie/communes/${town.id}/alertes`, by: member },
  { name: 'acteurs/{acteurId}', path: `/mairie/acteurs/${hall.id}/alertes`, by: member },
]
const reach = [
  ...places.map(({ name, path, by }) => ({
    route: `/mairie/${name}/alertes/{id}`,
    made: path,
    at: path,
    by,
  })),
  {
    route: '/admin/alertes/{id}',
    made: `/mairie/communes/${town.id}/alertes`,
    at: '/admin/alertes',
    by: admin,
  },
]

async function alerte(path = `/mairie/communes/${town.id}/alertes`, values: object = {}): Promise<string> {
  return (await member.post(path, { ...water, ...values })).body.data.id
}
const audit = (id: string) =>
  db
    .selectFrom('audit_log')
    .select(['action', 'before', 'after'])
    .where('entity_id', '=', id)
    .orderBy('seq')
    .execute()
const shown = async () =>
  (await get(`/communes/${town.id}/alertes?per_page=100`)).body.data.map(({ id }: { id: string }) => id)

for (const { name, path } of places)
  test(`can of /mairie/${name}/alertes names what the member may do`, async () => {
    const { token } = await user({ memberships: [{ acteur: hall, permissions: ['manage_publications'] }] })
    const reader = client({ source: 'mairie', token })
    const created = await member.post(path, water)
    const { id } = created.body.data
    const changed = await member.patch(`${path}/${id}`, { niveau: 'info' })
    for (const { body } of [created, changed]) expect(body.data.can).toEqual(['edit', 'delete'])
    for (const [caller, can] of [
      [member, ['edit', 'delete']],
      [admin, ['edit', 'delete']],
      [reader, []],
    ] as const) {
      const listed = (await caller.get(path)).body.data.find((row: { id: string }) => row.id === id)
      expect([listed.can, (await caller.get(`${path}/${id}`)).body.data.can]).toEqual([can, can])
    }
    expect((await member.delete(`${path}/${id}`)).body.data).toMatchObject({ id, can: [] })
  })

test('GET /admin/alertes names the author of each alert', async () => {
  const { token, id: authorId } = await user({
    nom: 'Zoé Martin',
    memberships: [{ acteur: hall, permissions: ['manage_commune'] }],
  })
  const author = client({ source: 'mairie', token })
  const { id } = (await author.post(`/mairie/communes/${town.id}/alertes`, water)).body.data
  const written = { id, created_by: authorId, created_by_user: { id: authorId, nom: 'Zoé Martin' } }
  expect((await admin.get(`/admin/alertes?ids=${id}`)).body.data).toMatchObject([written])
  expect((await admin.get(`/admin/alertes/${id}`)).body.data).toMatchObject(written)
})

for (const { route, made, at, by } of reach) {
  test(`PATCH ${route} returns 200: corrects, extends or ends an alert, and audits it`, async () => {
    const id = await alerte(made)
    const path = `${at}/${id}`
    const fin = '2026-12-01T00:00:00.000Z'
    const debut = '2026-11-19T06:00:00.000Z'
    const changes = {
      titre: 'Eau de nouveau potable',
      message: 'Sans la bouillir.',
      niveau: 'info',
      debut,
      fin,
    }
    const extended = await by.patch(path, changes)
    expect(extended.status).toBe(200)
    expect(extended.headers.get('etag')).toBe('"2"')
    expect(extended.body.data).toMatchObject({ ...changes, version: 2 })
    expect((await by.get(path)).body.data).toMatchObject(changes)
    expect(await shown()).toContain(id)
    const ended = await by.patch(path, { fin: '2026-11-20T12:00:00.000Z' })
    expect(ended.body.data).toMatchObject({ fin: '2026-11-20T12:00:00.000Z', version: 3 })
    expect(await shown()).not.toContain(id)
    expect((await by.patch(path, { fin: null })).body.data.fin).toBe(null)
    expect(await shown()).toContain(id)
    expect((await audit(id)).slice(0, 3)).toMatchObject([
      { action: 'alerte.create' },
      {
        action: 'alerte.update',
        before: { titre: water.titre, niveau: 'urgence', fin: null },
        after: { fin },
      },
      { action: 'alerte.update', before: { fin }, after: { fin: '2026-11-20T12:00:00.000Z' } },
    ])
  })

  test(`PATCH ${route} returns 412 for an outdated version, and accepts its ETag in weak form`, async () => {
    const path = `${at}/${await alerte(made)}`
    const call = (ifMatch: string) => by.patch(path, { titre: ifMatch }, { headers: { 'if-match': ifMatch } })
    expect((await call('W/"1"')).status).toBe(200)
    expect(await call('"1"')).toBeError(412, 'precondition_failed')
    expect(await by.delete(path, { headers: { 'if-match': 'W/"1"' } })).toBeError(412, 'precondition_failed')
  })

  test(`PATCH ${route} returns 422 and names the field`, async () => {
    const path = `${at}/${await alerte(made, { debut: '2026-11-20T08:00:00Z' })}`
    const wrong: [object, string][] = [
      [{ titre: '' }, 'titre'],
      [{ message: null }, 'message'],
      [{ niveau: 'panique' }, 'niveau'],
      [{ fin: '2026-11-20T08:00:00Z' }, 'fin'],
      [{ debut: '0001-01-01T00:00:00+14:00' }, 'debut'],
      [{ commune_id: null }, 'commune_id'],
    ]
    for (const [body, field] of wrong) {
      const answer = await by.patch(path, body)
      expect(answer).toBeError(422, 'validation_failed')
      expect(answer.body.details[0].field).toBe(field)
    }
  })

  test(`DELETE ${route} returns 200 with the deleted alert, which the audit log keeps`, async () => {
    const id = await alerte(made)
    const answer = await by.delete(`${at}/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ id, ...water, version: 1 })
    expect(await shown()).not.toContain(id)
    expect((await audit(id)).at(-1)).toMatchObject({ action: 'alerte.delete', before: water, after: null })
    expect(await by.delete(`${at}/${id}`)).toBeError(404, 'not_found')
  })

  test(`GET ${route} returns 200 with its version as ETag`, async () => {
    const id = await alerte(made)
    const answer = await by.get(`${at}/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('etag')).toBe('"1"')
    expect(answer.body.data).toMatchObject({ id, ...water, fin: null, version: 1 })
  })

  test(`GET, PATCH ${route}, DELETE ${route} and GET ${route} return 404 for an unknown or malformed id`, async () => {
    for (const id of [uuidv7(), '12']) {
      for (const method of ['GET', 'PATCH', 'DELETE'])
        expect(await by.send(method, `${at}/${id}`, method === 'PATCH' ? {} : undefined)).toBeError(
          404,
          'not_found',
        )
    }
  })
}

test('a mairie gets 404 for an alert of another owner', async () => {
  const other = await acteur({ type: 'mairie' })
  const place = await commune({ mairie_actor_id: other.id })
  const { body } = await admin.post(`/mairie/communes/${place.id}/alertes`, water)
  for (const { path } of places) {
    expect(await member.patch(`${path}/${body.data.id}`, { titre: 'x' })).toBeError(404, 'not_found')
    expect(await member.delete(`${path}/${body.data.id}`)).toBeError(404, 'not_found')
  }
  expect(await member.delete(`/mairie/communes/${place.id}/alertes/${body.data.id}`)).toBeError(
    403,
    'scope_violation',
  )
})

test('GET /admin/alertes returns 200 with filters, ids and sort', async () => {
  const neighbour = await acteur({ type: 'mairie', nom: 'Mairie d’Amont' })
  const place = await commune({ nom: 'Amont', mairie_actor_id: neighbour.id })
  const make = async (path: string, values: object) =>
    (await admin.post(`/mairie/${path}/alertes`, { ...water, ...values })).body.data.id as string
  const own = await make(`communes/${place.id}`, { niveau: 'info' })
  const ofMairie = await make(`acteurs/${neighbour.id}`, { niveau: 'attention' })
  const later = await make(`communes/${place.id}`, { debut: '2027-01-01T00:00:00Z', niveau: 'attention' })
  const ids = async (query: string) => {
    const { status, body } = await admin.get(`/admin/alertes?commune_id=${place.id}${query}`)
    expect(status).toBe(200)
    expect(body.meta.total).toBe(body.data.length)
    return body.data.map(({ id }: { id: string }) => id)
  }
  expect(await ids('')).toEqual([later, ofMairie, own])
  expect(await ids('&sort=created_at_asc')).toEqual([own, ofMairie, later])
  expect(await ids('&en_cours=true')).toEqual([ofMairie, own])
  expect(await ids('&en_cours=false')).toEqual([later])
  expect(await ids('&en_cours=true,false')).toHaveLength(3)
  expect(await ids('&niveau=attention')).toEqual([later, ofMairie])
  expect(await ids(`&ids=${own},${uuidv7()}`)).toEqual([own])
  const { body } = await admin.get(`/admin/alertes?ids=${own},${ofMairie}`)
  expect(body.data).toMatchObject([
    { commune: null, acteur: { id: neighbour.id, nom: 'Mairie d’Amont' }, en_cours: true, version: 1 },
    { commune: { id: place.id, nom: 'Amont' }, acteur: null, fin: null },
  ])
})

test.each(['page=0', 'niveau=panique', 'sort=titre_asc', 'en_cours=maybe', 'q=eau'])(
  'GET /admin/alertes returns 422 for %s',
  async (query) => {
    expect(await admin.get(`/admin/alertes?${query}`)).toBeError(422, 'validation_failed')
  },
)

test('POST of an alert returns a Location that GET can read', async () => {
  for (const { path } of places) {
    const answer = await member.post(path, water)
    const location = answer.headers.get('location') ?? ''
    expect(location).toBe(`/api/v1${path}/${answer.body.data.id}`)
    expect((await member.get(location.replace('/api/v1', ''))).body.data.id).toBe(answer.body.data.id)
  }
})
