// Not on another PostgreSQL, because other files run its statements too.
import { expect, test, vi } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { edgeHeaders } from '../../src/platform/http/cache/edge.ts'
import { slowdown } from '../processes/service.ts'
import { openEdge } from '../support/edge-proxy.ts'
import { openWorld } from '../support/world.ts'

const token = 'a-token-of-the-edge'
const edge = await openEdge(token)
const env = { CDN: 'on', CDN_PURGE_URL: edge.purgeUrl, CDN_PURGE_TOKEN: token }
const world = await openWorld({ keeps: true, env })
const { url, db, as, commune, changes, purges } = world
edge.leadTo(url)
const admin = await as('admin')
const generous = { timeout: 30_000, interval: 20 }
const lifetime = 'max-age=60, stale-while-revalidate=30, stale-if-error=86400'
const source = { 'x-app-source': 'public' }

const headersOf = async (path: string, headers: Record<string, string> = source) => {
  const response = await fetch(`${url}${path}`, { headers })
  await response.text()
  const names = ['cdn-cache-control', 'surrogate-key', 'cache-tag', 'vary', 'cache-control']
  return [response.status, ...names.map((name) => response.headers.get(name))]
}

/** Requests a path until the edge has it; purges that are still to come may remove it once or twice. */
const untilStored = (path: string, headers = source) =>
  vi.waitFor(async () => expect((await edge.get(path, headers)).cache).toBe('hit'), generous)

/** Waits until the edge has had both purges of all changes so far. */
async function untilQuiet() {
  await changes?.arrived()
  await vi.waitFor(() => expect(purges?.isDone).toBe(true), generous)
}

test('public reads carry a lifetime and the tags of what they show, uncached, cached and unchanged', async () => {
  const { id } = await commune()
  await changes?.arrived()
  const tags = ['parvis', 'app_sources', 'communes']
  const expected = [
    200,
    lifetime,
    tags.join(' '),
    tags.join(','),
    'X-App-Source',
    expect.stringContaining('public'),
  ]
  // The first request reads the application sources.
  await headersOf('/api/v1/communes')
  for (let time = 0; time < 3; time++) expect(await headersOf(`/api/v1/communes/${id}`)).toEqual(expected)
  const first = await fetch(`${url}/api/v1/communes/${id}`, { headers: source })
  const etag = first.headers.get('etag') ?? ''
  const again = await fetch(`${url}/api/v1/communes/${id}`, { headers: { ...source, 'if-none-match': etag } })
  expect([again.status, again.headers.get('cdn-cache-control')]).toEqual([304, lifetime])
})

test('pages and feeds carry them too, and vary by nothing', async () => {
  await commune({ slug: 'dole' })
  await changes?.arrived()
  for (const path of ['/communes/dole', '/communes/dole/publications.rss', '/mentions-legales']) {
    const [status, cdn, keys, , vary] = await headersOf(path, {})
    expect([path, status, cdn, vary]).toEqual([path, 200, lifetime, null])
    expect(keys).toMatch(/^parvis app_sources/)
  }
})

test('nothing private carries them: a person, a form, the back-office, a restricted application, a refusal', async () => {
  const { id } = await commune({ slug: 'arbois' })
  await db
    .insertInto('app_sources')
    .values({ code: 'arbois', label: 'Arbois', commune_ids: [id] })
    .execute()
  await changes?.arrived()
  const path = `/api/v1/communes/${id}`
  const { token: bearer } = await world.user({ roles: ['admin'] })
  const signedIn = { authorization: `Bearer ${bearer}` }
  const { id: publication } = await insertPublication(world, { commune_id: id, slug: 'foire-d-arbois' })
  const all: [string, Record<string, string>][] = [
    [path, { ...source, ...signedIn }],
    [path, { ...source, cookie: 'parvis_session=abc' }],
    ['/communes/arbois', { cookie: 'parvis_session=abc' }],
    [path, { 'x-app-source': 'arbois' }],
    [path, {}],
    [`/api/v1/communes/${publication}`, source],
    ['/api/v1/me', { ...source, ...signedIn }],
    ['/api/v1/admin/publications', { 'x-app-source': 'backoffice', ...signedIn }],
    ['/publications/foire-d-arbois/signaler', {}],
    ['/contact', {}],
    ['/communes/nulle-part', {}],
    ['/api/v1/publications/changes', source],
    ['/healthz', {}],
  ]
  for (const [path, headers] of all) {
    // Once before and once after a shared read has been cached.
    for (let time = 0; time < 2; time++) {
      const [, cdn, keys, tags] = await headersOf(path, headers)
      expect([path, headers, cdn, keys, tags]).toEqual([path, headers, null, null, null])
      await headersOf(path, source)
      await edge.get(path, headers)
      expect((await edge.get(path, headers)).cache).toBe('pass')
    }
  }
})

test('without CDN=on there are no such headers', async () => {
  const plain = await openWorld({ keeps: true })
  const { id } = await plain.commune()
  const { headers } = await plain.get(`/communes/${id}`)
  expect(['cdn-cache-control', 'surrogate-key', 'cache-tag'].map((name) => headers.get(name))).toEqual([
    null,
    null,
    null,
  ])
})

test('a long list of tags becomes the tag of their table, never a part of the list', () => {
  const rows = Array.from({ length: 20 }, () => `publications:${crypto.randomUUID()}`)
  const tagsOf = (tags: string[]) => edgeHeaders(tags)[3]
  expect(tagsOf([...rows.slice(0, 2), 'publications*', 'communes'])).toBe(
    `parvis app_sources ${rows[0]} ${rows[1]} publications:many communes`,
  )
  expect(tagsOf([...rows, 'publications*', 'communes'])).toBe('parvis app_sources publications communes')
})

test('rejected content is gone from the edge within 5 s', async () => {
  const { id: communeId } = await commune({ slug: 'lons' })
  const { id, version } = await insertPublication(world, {
    commune_id: communeId,
    slug: 'vide-grenier',
    title: 'Vide',
  })
  await untilQuiet()
  const paths = [
    '/publications/vide-grenier',
    '/communes/lons',
    '/communes/lons/publications.rss',
    `/api/v1/publications/${id}`,
    `/api/v1/communes/${communeId}/publications`,
    '/api/v1/publications',
  ]
  for (const path of paths) await untilStored(path)
  const other = `/api/v1/communes/${communeId}`
  await untilStored(other)
  const rejected = await admin.patch(
    `/admin/publications/${id}/moderate`,
    { moderation_status: 'rejected', reason: 'Hors sujet' },
    { headers: { 'if-match': `"${version}"` } },
  )
  expect(rejected.status).toBe(200)
  const slow = slowdown()
  const since = performance.now()
  for (const path of paths)
    await vi.waitFor(async () => expect((await edge.get(path, source)).text).not.toContain('vide-grenier'), {
      ...{ timeout: 5_000 * slow, interval: 20 },
    })
  expect(performance.now() - since).toBeLessThan(5_000 * slow)
  // A page that does not show it is not purged.
  expect((await edge.get(other, source)).cache).toBe('hit')
}, 60_000)

test('the edge answers while the service is down, and then from the service again', async () => {
  const { id } = await commune()
  await untilQuiet()
  const path = `/api/v1/communes/${id}`
  await untilStored(path)
  edge.leadTo('http://127.0.0.1:1')
  edge.age(3_600)
  expect((await edge.get(path, source)).cache).toBe('stale')
  edge.leadTo(url)
  expect((await edge.get(path, source)).cache).toBe('miss')
  edge.age(70)
  expect((await edge.get(path, source)).cache).toBe('stale')
  await untilStored(path)
}, 60_000)

test('purges that the address refuses are sent later', async () => {
  const { id } = await commune({ nom: 'Avant' })
  await untilQuiet()
  const path = `/api/v1/communes/${id}`
  await untilStored(path)
  edge.acceptPurges(false)
  const { failed = 0 } = purges ?? {}
  await db.updateTable('communes').set({ nom: 'Après' }).where('id', '=', id).execute()
  await vi.waitFor(() => expect(purges?.failed).toBeGreaterThan(failed + 1), generous)
  expect((await edge.get(path, source)).text).toContain('Avant')
  expect(purges?.waitingMs).toBeGreaterThan(0)
  edge.acceptPurges(true)
  await vi.waitFor(async () => expect((await edge.get(path, source)).text).toContain('Après'), generous)
  await vi.waitFor(() => expect(purges?.waitingMs).toBe(0), generous)
}, 60_000)

test('changes that no public read shows purge nothing', async () => {
  await untilQuiet()
  const before = edge.purged.length
  await world.user()
  const { id } = await commune()
  await vi.waitFor(() => expect(edge.purged.length).toBeGreaterThan(before), generous)
  expect([...new Set(edge.purged.slice(before).flat())]).toEqual(['communes'])
  expect(id).toBeDefined()
}, 60_000)
