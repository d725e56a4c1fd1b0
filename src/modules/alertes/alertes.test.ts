import { expect, test } from 'vitest'
import { untilWaiting } from '../../../test/support/locks.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const { acteur, commune, user, as, client, db, setClock } = await openWorld()
setClock('2026-11-20T12:00:00.000Z')
const limited = await openWorld({ env: { RATE_LIMIT_ALERT: '2/hour' } })
const hall = await acteur({ type: 'mairie' })
const town = await commune({ mairie_actor_id: hall.id })
const secretary = { acteur: hall, permissions: ['manage_commune' as const] }
const member = await signedIn({ memberships: [secretary] })
const water = { titre: 'Coupure d’eau', message: 'Rue du Puits, de 8 h à midi.', niveau: 'attention' }

async function signedIn(options: Parameters<typeof user>[0]) {
  return client({ source: 'mairie', token: (await user(options)).token })
}

const places = [
  { path: `/mairie/communes/${town.id}/alertes`, owner: { commune_id: town.id, acteur_id: null } },
  { path: `/mairie/acteurs/${hall.id}/alertes`, owner: { commune_id: null, acteur_id: hall.id } },
]

test.each([
  ['POST /mairie/communes/{communeId}/alertes answers 201', places[0]],
  ['POST /mairie/acteurs/{acteurId}/alertes answers 201', places[1]],
])('%s with the alert and audits it', async (_title, place) => {
  const { path = '', owner } = place ?? {}
  const answer = await member.post(path, {
    ...water,
    debut: '2026-11-26T08:00:00+01:00',
    fin: '2026-11-26T11:00:00Z',
  })
  expect(answer.status).toBe(201)
  expect(answer.body.data).toMatchObject({
    ...water,
    ...owner,
    debut: '2026-11-26T07:00:00.000Z',
    fin: '2026-11-26T11:00:00.000Z',
  })
  const audit = await db
    .selectFrom('audit_log')
    .select(['action', 'entity', 'after', 'app_source'])
    .where('entity_id', '=', answer.body.data.id)
    .execute()
  expect(audit).toMatchObject([
    { action: 'alerte.create', entity: 'alerte', after: water, app_source: 'mairie' },
  ])
  const bare = await member.post(path, { ...water, debut: null })
  expect(bare.body.data).toMatchObject({ debut: null, fin: null })
})

test.each([
  ['GET /mairie/communes/{communeId}/alertes answers 200', 'communes'],
  ['GET /mairie/acteurs/{acteurId}/alertes answers 200', 'acteurs'],
])('%s its own alerts, newest first, paged', async (_title, kind) => {
  const mairie = await acteur({ type: 'mairie' })
  const place = await commune({ mairie_actor_id: mairie.id })
  const caller = await signedIn({ memberships: [{ acteur: mairie, role: 'owner' }] })
  const path = `/mairie/${kind}/${kind === 'communes' ? place.id : mairie.id}/alertes`
  const other = `/mairie/${kind === 'communes' ? 'acteurs' : 'communes'}/${kind === 'communes' ? mairie.id : place.id}/alertes`
  await caller.post(other, { ...water, titre: 'Ailleurs' })
  for (const titre of ['Première', 'Deuxième', 'Troisième']) await caller.post(path, { ...water, titre })
  const titles = async (query: string) => {
    const { status, body } = await caller.get(`${path}${query}`)
    expect(status).toBe(200)
    return { titles: body.data.map(({ titre }: { titre: string }) => titre), meta: body.meta }
  }
  expect(await titles('')).toEqual({
    titles: ['Troisième', 'Deuxième', 'Première'],
    meta: { current_page: 1, last_page: 1, per_page: 25, total: 3 },
  })
  expect(await titles('?page=2&per_page=2')).toEqual({
    titles: ['Première'],
    meta: { current_page: 2, last_page: 2, per_page: 2, total: 3 },
  })
  expect((await titles('?page=9')).titles).toEqual([])
})

test.each([
  ['GET /mairie/communes/{communeId}/alertes answers 422', places[0]],
  ['GET /mairie/acteurs/{acteurId}/alertes answers 422', places[1]],
])('%s for an invalid page, and for any parameter of a single one', async (_title, place) => {
  expect(await member.get(`${place?.path}?page=0`)).toBeError(422, 'validation_failed')
  expect(await member.get(`${place?.path}/${uuidv7()}?page=1`)).toBeError(422, 'validation_failed')
})

test.each([
  ['POST /mairie/communes/{communeId}/alertes answers 422', places[0]],
  ['POST /mairie/acteurs/{acteurId}/alertes answers 422', places[1]],
])('%s and names the field', async (_title, place) => {
  const wrong: [object, string][] = [
    [{ titre: undefined }, 'titre'],
    [{ titre: '' }, 'titre'],
    [{ titre: ' \n' }, 'titre'],
    [{ titre: 'a\0' }, 'titre'],
    [{ titre: 'Coupure\nd’eau' }, 'titre'],
    [{ message: '  ' }, 'message'],
    [{ message: 'x'.repeat(2_001) }, 'message'],
    [{ niveau: 'panique' }, 'niveau'],
    [{ debut: '2026-11-26' }, 'debut'],
    [{ fin: '2016-12-31T23:59:60Z' }, 'fin'],
    [{ debut: '0001-01-01T00:00:00+14:00' }, 'debut'],
    [{ fin: '9999-12-31T23:59:59-14:00' }, 'fin'],
    [{ debut: '2026-11-26T08:00:00Z', fin: '2026-11-26T07:59:59Z' }, 'fin'],
    [{ debut: '2026-11-26T08:00:00Z', fin: '2026-11-26T09:00:00+01:00' }, 'fin'],
    [{ debut: '2026-11-19T08:00:00Z', fin: '2026-11-20T11:59:59Z' }, 'fin'],
    [{ fin: '2026-11-20T12:00:00Z' }, 'fin'],
    [{ envoyer: true }, 'envoyer'],
  ]
  for (const [change, field] of wrong) {
    const answer = await member.post(place?.path ?? '', { ...water, ...change })
    expect(answer).toBeError(422, 'validation_failed')
    expect(answer.body.details[0].field).toBe(field)
  }
})

test('accepts an alert that has already started if its end is in the future', async () => {
  const period = { debut: '2026-11-19T08:00:00.000Z', fin: '2026-11-20T12:00:00.001Z' }
  const answer = await member.post(places[0]?.path ?? '', { ...water, ...period })
  expect(answer.status).toBe(201)
  expect(answer.body.data).toMatchObject(period)
})

test('extreme timestamps are stored or refused, never a 500', async () => {
  for (const debut of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z']) {
    const { status } = await member.post(places[0]?.path ?? '', { ...water, debut })
    expect([201, 422], debut).toContain(status)
  }
})

test.each([
  ['GET /mairie/communes/{communeId}/alertes answers 404', 'GET', 'communes'],
  ['POST /mairie/communes/{communeId}/alertes answers 404', 'POST', 'communes'],
  ['GET /mairie/acteurs/{acteurId}/alertes answers 404', 'GET', 'acteurs'],
  ['POST /mairie/acteurs/{acteurId}/alertes answers 404', 'POST', 'acteurs'],
])('%s for an unknown or malformed id', async (_title, method, kind) => {
  const admin = await as('admin')
  for (const caller of [member, admin]) {
    for (const id of [uuidv7(), '12']) {
      const body = method === 'POST' ? water : undefined
      expect(await caller.send(method, `/mairie/${kind}/${id}/alertes`, body)).toBeError(404, 'not_found')
    }
  }
})

test('only members of the mairie and administrators may use alerts', async () => {
  const neighbour = await acteur({ type: 'mairie' })
  await commune({ mairie_actor_id: neighbour.id })
  const club = await acteur({ commune_id: town.id })
  const callers: [string, Awaited<ReturnType<typeof signedIn>>, number, string?][] = [
    ['member', member, 200],
    ['owner', await signedIn({ memberships: [{ acteur: hall, role: 'owner' }] }), 200],
    ['admin', await signedIn({ roles: ['admin'] }), 200],
    ['platform admin', await signedIn({ roles: ['platform_admin'] }), 200],
    ['moderator', await signedIn({ roles: ['moderator'] }), 403, 'scope_violation'],
    ['support', await signedIn({ roles: ['support'] }), 403, 'scope_violation'],
    ['nobody in particular', await signedIn({}), 403, 'scope_violation'],
    [
      'neighbour',
      await signedIn({ memberships: [{ acteur: neighbour, role: 'owner' }] }),
      403,
      'scope_violation',
    ],
    ['club', await signedIn({ memberships: [{ acteur: club, role: 'owner' }] }), 403, 'scope_violation'],
    ['not signed in', client({ source: 'mairie' }), 401, 'unauthenticated'],
    ['bad token', client({ source: 'mairie', token: 'nonsense' }), 401, 'unauthenticated'],
    ['no source', client({ source: null }), 400, 'missing_app_source'],
  ]
  for (const [name, caller, status, code] of callers) {
    for (const { path } of places) {
      const [read, written] = [await caller.get(path), await caller.post(path, water)]
      expect([read.status, written.status], name).toEqual([status, status === 200 ? 201 : status])
      if (code) expect([read.body.error, written.body.error], name).toEqual([code, code])
    }
  }
})

test('every member of a mairie reads its alerts; owners, manage_commune and publish_publications write them', async () => {
  const id = (await member.post(places[0]?.path ?? '', water)).body.data.id
  const at = `${places[0]?.path}/${id}`
  for (const [permission, allowed] of [
    ['manage_commune', true],
    ['publish_publications', true],
    ['manage_publications', false],
    ['manage_page', false],
  ] as const) {
    const caller = await signedIn({ memberships: [{ acteur: hall, permissions: [permission] }] })
    const answers = [
      ...(await Promise.all(places.map(({ path }) => caller.post(path, water)))),
      await caller.patch(at, { niveau: 'info' }),
    ]
    for (const answer of answers) {
      if (allowed) expect(answer.status, permission).toBeLessThan(300)
      else expect(answer, permission).toBeError(403, 'forbidden')
    }
    if (!allowed) expect(await caller.delete(at), permission).toBeError(403, 'forbidden')
    expect((await caller.get(at)).status, permission).toBe(200)
    for (const { path } of places) expect((await caller.get(path)).status, permission).toBe(200)
  }
})

test('an alert that a telephone sends again is created once', async () => {
  const place = await commune({ mairie_actor_id: hall.id })
  const path = `/mairie/communes/${place.id}/alertes`
  const options = { headers: { 'idempotency-key': uuidv7() } }
  const first = await member.post(path, water, options)
  expect(first.status).toBe(201)
  expect(await member.post(path, water, options)).toMatchObject({ status: 201, body: first.body })
  expect((await member.get(path)).body.meta.total).toBe(1)
})

test('an acteur that is not a mairie has no alerts, even for its owner and an administrator', async () => {
  const club = await acteur({ commune_id: town.id })
  const owner = await signedIn({ memberships: [{ acteur: club, role: 'owner' }] })
  const admin = await as('admin')
  for (const caller of [owner, admin])
    expect(await caller.post(`/mairie/acteurs/${club.id}/alertes`, water)).toBeError(403, 'scope_violation')
})

test('only administrators may alert a commune without a mairie', async () => {
  const bare = await commune()
  const path = `/mairie/communes/${bare.id}/alertes`
  expect(await member.post(path, water)).toBeError(403, 'scope_violation')
  expect((await (await as('admin')).post(path, water)).status).toBe(201)
})

test.each([['communes'], ['acteurs']] as const)(
  'an alert for a %s deleted concurrently returns 404',
  async (table) => {
    const gone = await acteur({ type: 'mairie' })
    const town = await commune({ mairie_actor_id: gone.id })
    const admin = await as('admin')
    const held = await db.startTransaction().execute()
    await held.deleteFrom('communes').where('id', '=', town.id).execute()
    if (table === 'acteurs') await held.deleteFrom('acteurs').where('id', '=', gone.id).execute()
    const id = table === 'communes' ? town.id : gone.id
    const answer = admin.post(`/mairie/${table}/${id}/alertes`, water)
    await untilWaiting(db)
    await held.commit().execute()
    expect(await answer).toBeError(404, 'not_found')
  },
)

test("a deleted mairie has no members, by its own path or its commune's", async () => {
  const gone = await acteur({ type: 'mairie' })
  const place = await commune({ mairie_actor_id: gone.id })
  const clerk = await signedIn({ memberships: [{ acteur: gone, role: 'owner' }] })
  await db.updateTable('acteurs').set({ deleted_at: new Date() }).where('id', '=', gone.id).execute()
  expect(await clerk.post(`/mairie/acteurs/${gone.id}/alertes`, water)).toBeError(404, 'not_found')
  expect(await clerk.post(`/mairie/communes/${place.id}/alertes`, water)).toBeError(403, 'scope_violation')
})

test('alerts share one rate limit for a commune and its mairie', async () => {
  const mairie = await limited.acteur({ type: 'mairie' })
  const place = await limited.commune({ mairie_actor_id: mairie.id })
  const { token } = await limited.user({ memberships: [{ acteur: mairie, role: 'owner' }] })
  const caller = limited.client({ source: 'mairie', token })
  await caller.post(`/mairie/communes/${place.id}/alertes`, water)
  await caller.post(`/mairie/acteurs/${mairie.id}/alertes`, water)
  const third = await caller.post(`/mairie/acteurs/${mairie.id}/alertes`, water)
  expect(third).toBeError(429, 'rate_limited')
  expect((await caller.get(`/mairie/acteurs/${mairie.id}/alertes`)).body.meta.total).toBe(1)
})
