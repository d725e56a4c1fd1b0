import { expect, test } from 'vitest'
import { publishText } from '../../../test/support/name-server.ts'
import { openWorld } from '../../../test/support/world.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'

const world = await openWorld({ env: { PUBLIC_URL: 'https://parvis.test' } })
const { as, commune, db } = world
const now = '2026-11-29T10:00:00.000Z'
world.setClock(now)
const admin = await as('admin')
const town = await commune({ nom: 'Chambéry', slug: 'chambery' })
const group = await db
  .insertInto('groups')
  .values({ id: uuidv7(), slug: 'grand-chambery', nom: 'Grand Chambéry', kind: 'epci' })
  .returning(['id', 'slug', 'nom'])
  .executeTakeFirstOrThrow()

let number = 0
const fresh = (values: object = {}) => ({ host: `ville-${++number}.test`, commune_id: town.id, ...values })
async function made(values: object = {}) {
  const { status, body, text } = await admin.post('/admin/domains', fresh(values))
  expect(status, text).toBe(201)
  return body.data
}
const verify = (id: string, headers = {}) => admin.post(`/admin/domains/${id}/verify`, undefined, { headers })
const publish = ({ host, token }: { host: string; token: string }) => publishText(`_parvis.${host}`, token)

test('POST /admin/domains returns 201 with the domain, its home and its token', async () => {
  const { body, headers, status } = await admin.post('/admin/domains', {
    host: 'www.chambery.test',
    commune_id: town.id,
  })
  expect(status).toBe(201)
  expect(body.data).toMatchObject({
    host: 'www.chambery.test',
    commune: { id: town.id, slug: 'chambery', nom: 'Chambéry' },
    group: null,
    verified_at: null,
    version: 1,
    is_primary: false,
    is_canonical: false,
    can: ['edit', 'verify', 'delete'],
  })
  expect(body.data.token).toMatch(/^[\w-]{43}$/)
  expect(headers.get('location')).toBe(`/api/v1/admin/domains/${body.data.id}`)
  const read = await admin.get(`/admin/domains/${body.data.id}`)
  expect(read.body.data).toEqual(body.data)
  expect(read.headers.get('etag')).toBe('"1"')
  const ofGroup = await made({ commune_id: null, group_id: group.id })
  expect(ofGroup).toMatchObject({ commune: null, group })
  const found = (await admin.get(`/admin/domains?group_id=${group.id}`)).body.data
  expect(found).toMatchObject([{ id: ofGroup.id }])
})

test.each([
  ...['WWW.ville.fr', 'ville', 'http://ville.fr', 'ville.fr:80', 'ville.fr.', '10.0.0.1', 'é.fr', ''],
  ...[`${'a'.repeat(64)}.fr`, `${'a.'.repeat(126)}fr`, '-a.fr', 'a_b.fr', 'a b.fr'],
])('POST /admin/domains returns 422 for the host %j', async (host) => {
  expect(await admin.post('/admin/domains', fresh({ host }))).toBeError(422, 'validation_failed')
})

test('returns 409 for a host that is known, 422 for that of the platform', async () => {
  const { host } = await made()
  expect(await admin.post('/admin/domains', fresh({ host }))).toBeError(409, 'conflict')
  const other = await made()
  expect(await admin.patch(`/admin/domains/${other.id}`, { host })).toBeError(409, 'conflict')
  for (const answer of [
    await admin.post('/admin/domains', fresh({ host: 'parvis.test' })),
    await admin.patch(`/admin/domains/${other.id}`, { host: 'parvis.test' }),
  ])
    expect(answer).toBeError(422, 'validation_failed')
})

test('returns 422 without a home, with two, and for one that does not exist', async () => {
  for (const home of [
    { commune_id: null },
    { group_id: group.id },
    { commune_id: uuidv7() },
    { commune_id: null, group_id: uuidv7() },
  ])
    expect(await admin.post('/admin/domains', fresh(home))).toBeError(422, 'validation_failed')
})

test('POST /admin/domains/{id}/verify returns 409 until the DNS shows the token, then 200', async () => {
  const domain = await made()
  expect(await verify(domain.id)).toBeError(409, 'domain_unproven')
  publishText(`_parvis.${domain.host}`, 'a'.repeat(43))
  expect(await verify(domain.id)).toBeError(409, 'domain_unproven')
  publish(domain)
  expect(await verify(domain.id, { 'if-match': '"7"' })).toBeError(412, 'precondition_failed')
  const { status, body } = await verify(domain.id, { 'if-match': '"1"' })
  expect([status, body.data.verified_at, body.data.version]).toEqual([200, now, 2])
})

test('another host has another token and is verified anew; another home is not', async () => {
  const domain = await made()
  publish(domain)
  await verify(domain.id)
  const path = `/admin/domains/${domain.id}`
  const moved = (await admin.patch(path, { group_id: group.id })).body.data
  expect(moved).toMatchObject({ commune: null, group, token: domain.token })
  expect(moved.verified_at).not.toBeNull()
  const renamed = (await admin.patch(path, { host: 'autre.ville.test' })).body.data
  expect(renamed).toMatchObject({ verified_at: null, group })
  expect(renamed.token).not.toBe(domain.token)
  expect((await admin.patch(path, { commune_id: town.id })).body.data).toMatchObject({ group: null })
})

test('a verification that a change of the host overtakes returns 409', async () => {
  const domain = await made()
  const path = `/admin/domains/${domain.id}`
  const host = `renomme-${++number}.test`
  publishText(`_parvis.${domain.host}`, async () => {
    expect((await admin.patch(path, { host })).status).toBe(200)
    return domain.token
  })
  expect(await verify(domain.id)).toBeError(409, 'conflict')
  expect((await admin.get(path)).body.data).toMatchObject({ host, verified_at: null })
})

const choose = (id: string, headers = {}) =>
  admin.post(`/admin/domains/${id}/primary`, undefined, { headers })
async function proven(values: object) {
  const domain = await made(values)
  publish(domain)
  await verify(domain.id)
  return domain
}
/** The hosts of a commune that are primary, and canonical. */
async function chosenOf({ id }: { id: string }) {
  const { data } = (await admin.get(`/admin/domains?commune_id=${id}`)).body
  const hosts = (is: 'is_primary' | 'is_canonical') =>
    data.filter((one: Record<string, unknown>) => one[is]).map(({ host }: { host: string }) => host)
  return { primary: hosts('is_primary'), canonical: hosts('is_canonical') }
}

test('POST /admin/domains/{id}/primary returns 200 and replaces the oldest proven domain, or the one chosen before', async () => {
  const village = await commune()
  const place = { commune_id: village.id }
  const unproven = await made(place)
  const [oldest, other] = [await proven(place), await proven(place)]
  expect(await chosenOf(village)).toEqual({ primary: [], canonical: [oldest.host] })
  expect(await choose(unproven.id)).toBeError(409, 'domain_unproven')
  expect(await choose(uuidv7())).toBeError(404, 'not_found')
  expect(await choose(other.id, { 'if-match': '"1"' })).toBeError(412, 'precondition_failed')
  const { status, body } = await choose(other.id, { 'if-match': '"2"' })
  expect([status, body.data]).toMatchObject([
    200,
    { is_primary: true, is_canonical: true, version: 3, can: ['edit', 'verify', 'delete'] },
  ])
  expect(await chosenOf(village)).toEqual({ primary: [other.host], canonical: [other.host] })
  await choose(oldest.id)
  expect(await chosenOf(village)).toEqual({ primary: [oldest.host], canonical: [oldest.host] })
  expect((await admin.get(`/admin/domains/${other.id}`)).body.data).toMatchObject({ version: 4 })
  const entries = await admin.get(`/admin/audit?entity=domain&entity_id=${oldest.id}`)
  expect(entries.body.data[0]).toMatchObject({
    action: 'domain.make_primary',
    before: { is_primary: false },
    after: { is_primary: true, replaces: other.host },
  })
  await admin.delete(`/admin/domains/${oldest.id}`)
  expect(await chosenOf(village)).toEqual({ primary: [], canonical: [other.host] })
})

test('a primary domain that gets another host or another home is no longer chosen', async () => {
  const [village, next] = [await commune(), await commune()]
  for (const change of [{ host: `renomme-${++number}.test` }, { commune_id: next.id }]) {
    const { id } = await proven({ commune_id: village.id })
    await choose(id)
    expect((await admin.patch(`/admin/domains/${id}`, change)).body.data).toMatchObject({
      is_primary: false,
    })
  }
  expect(await chosenOf(village)).toEqual({ primary: [], canonical: [] })
})

test('of domains of a place that are chosen at once, one is primary', async () => {
  const village = await commune()
  const domains = [1, 2, 3, 4]
  const place = { commune_id: village.id }
  const made = []
  for (const _ of domains) made.push(await proven(place))
  for (let round = 0; round < 10; round++) {
    const answers = await Promise.all(made.map(({ id }) => choose(id)))
    expect(answers.map(({ status }) => status)).toEqual(domains.map(() => 200))
    expect((await chosenOf(village)).primary).toHaveLength(1)
  }
})

test('DELETE /admin/domains/{id} returns 200 with the domain as it was, then 404', async () => {
  const domain = await made()
  const { body } = await admin.delete(`/admin/domains/${domain.id}`)
  expect(body.data).toEqual({ ...domain, can: [] })
  expect(await admin.get(`/admin/domains/${domain.id}`)).toBeError(404, 'not_found')
})

test('only administrators, and no access key, reach domains', async () => {
  for (const role of ['moderator', 'support'] as const)
    expect(await (await as(role)).get('/admin/domains')).toBeError(403, 'admin_required')
})

test('the audit log names the domain and never its token', async () => {
  const domain = await made()
  publish(domain)
  await verify(domain.id)
  const { body, text } = await admin.get(`/admin/audit?entity=domain&entity_id=${domain.id}`)
  expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
    'domain.verify',
    'domain.create',
  ])
  expect(text).not.toContain(domain.token)
})
