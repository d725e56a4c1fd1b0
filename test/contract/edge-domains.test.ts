import { Agent } from 'node:http'
import { afterAll, expect, test, vi } from 'vitest'
import { insertPublication } from '../../src/modules/publications/publications.test-kit.ts'
import { uuidv7 } from '../../src/platform/formats/uuid.ts'
import { slowdown } from '../processes/service.ts'
import { fetchFrom, openEdge } from '../support/edge-proxy.ts'
import { isWhole } from '../support/sample.ts'
import { openWorld } from '../support/world.ts'

const edge = await openEdge()
const env = { CDN: 'on', CDN_PURGE_URL: edge.purgeUrl, PUBLIC_URL: 'https://parvis.test' }
const world = await openWorld({ keeps: true, env })
const { url, db, changes, purges } = world
edge.leadTo(url)
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
afterAll(() => agent.destroy())
const admin = await world.as('admin')

const [aubeterre, brumeville] = [
  await world.commune({ slug: 'aubeterre', nom: 'Aubeterre' }),
  await world.commune({ slug: 'brumeville', nom: 'Brumeville' }),
]
const publish = (commune: { id: string }, name: string) =>
  insertPublication(world, {
    ...{ title: `Fête d’${name}`, slug: `fete-${name.toLowerCase()}`, commune_ids: [commune.id] },
    date_debut: '2027-05-01',
  })
const feteOfAubeterre = await publish(aubeterre, 'Aubeterre')
await publish(brumeville, 'Brumeville')
const clairval = await admin.post('/admin/groups', {
  ...{ nom: 'CC du Clairval', kind: 'epci', commune_ids: [brumeville.id] },
})
const verified_at = new Date().toISOString()
await db
  .insertInto('domains')
  .values([
    {
      ...{ id: uuidv7(), host: 'www.aubeterre.test', token: 'a'.repeat(43), verified_at },
      ...{ commune_id: aubeterre.id, group_id: null },
    },
    {
      ...{ id: uuidv7(), host: 'clairval.test', token: 'b'.repeat(43), verified_at },
      ...{ commune_id: null, group_id: clairval.body.data.id },
    },
  ])
  .execute()
const people = [await world.user(), await world.user()]

/** The hosts, each with what none of its answers may have: names and addresses of the others. */
const foreign: Record<string, RegExp> = {
  // The platform shows both.
  'parvis.test': /(?!)/,
  'www.aubeterre.test': /brumeville|clairval/i,
  'clairval.test': /aubeterre/i,
}
const paths = [
  ...['/', '/communes', '/communes/aubeterre', '/communes/brumeville', '/communes/brumeville/agenda'],
  ...['/communes/aubeterre/publications.rss', '/communes/brumeville/agenda.ics', '/groupes/cc-du-clairval'],
  ...['/publications/fete-aubeterre', '/publications/fete-brumeville', '/recherche?q=fete', '/sitemap.xml'],
  ...['/mentions-legales', '/manifest.webmanifest', '/robots.txt', '/favicon.svg', '/inconnue'],
  ...['/api/v1/communes/aubeterre', '/api/v1/publications', '/api/v1/me'],
]
const source = { 'x-app-source': 'public' }
/** Readers: anonymous, of another language, with a session, signed in as one or the other. */
const readers: Record<string, Record<string, string>> = {
  anonymous: source,
  english: { ...source, 'accept-language': 'en' },
  // Its value is none of a session: a page reads none, and the API ignores it.
  cookie: { ...source, cookie: 'parvis_session=abc' },
  ...Object.fromEntries(
    people.map(({ email, token }) => [`${email}`, { ...source, authorization: `Bearer ${token}` }]),
  ),
}

/** An address may download two files at once, such as the sitemap, and all readers here have the same one: asks again after a 429. */
const patiently = <T extends { status: number }>(ask: () => Promise<T>): Promise<T> =>
  vi.waitUntil(
    async () => {
      const got = await ask()
      return got.status !== 429 && got
    },
    { timeout: 60_000 },
  ) as Promise<T>
const direct = (host: string, path: string, method: string, headers: Record<string, string>) =>
  patiently(() => fetchFrom(`${url}${path}`, { agent, method, headers: { ...headers, host } }))
/** What a reader gets. The ids of requests differ. */
const contentOf = ({ status, headers, body }: Awaited<ReturnType<typeof direct>>) => ({
  ...{ status, body: body.replace(/"request_id":"[^"]+"/, '') },
  headers: ['content-type', 'etag', 'location', 'content-language'].map((name) => headers.get(name)),
})

async function untilQuiet() {
  await changes?.arrived()
  await vi.waitFor(() => expect(purges?.isDone).toBe(true), { timeout: 30_000, interval: 20 })
}

const count = process.env.PARVIS_TEST_LONG ? 10_000 : 1_500

test.runIf(isWhole)(
  'through a shared cache, each host and each person gets what the service itself answers them, in any order',
  async () => {
    await untilQuiet()
    let seed = 20_261_130
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((seed / 2 ** 31) * below)
    }
    const oneOf = <T>(all: readonly T[]) => all[random(all.length)] as T
    const expected = new Map<string, Promise<Awaited<ReturnType<typeof direct>>>>()
    const outcomes: Record<string, number> = {}
    let sent = 0
    async function lane(): Promise<void> {
      while (sent < count) {
        sent++
        const [host, reader] = [oneOf(Object.keys(foreign)), oneOf(Object.keys(readers))]
        const [path, method] = [oneOf(paths), oneOf(['GET', 'GET', 'GET', 'HEAD'])]
        const headers = readers[reader] ?? {}
        const name = `${host}${path} ${reader}`
        const asked = expected.get(name) ?? direct(host, path, 'GET', headers)
        expected.set(name, asked)
        const own = await asked
        const etag = own.status === 200 && random(4) === 0 ? own.headers.get('etag') : null
        const ask = () =>
          edge.ask(path, {
            ...{ host, method },
            headers: { ...headers, ...(etag && { 'if-none-match': etag }) },
          })
        const got = await patiently(ask)
        outcomes[got.cache ?? ''] = (outcomes[got.cache ?? ''] ?? 0) + 1
        const { status, body, headers: ownHeaders } = contentOf(own)
        expect(contentOf(got), `${method} ${name}`).toMatchObject({
          ...{ status: etag === null ? status : 304, body: etag || method === 'HEAD' ? '' : body },
          ...(etag === null && { headers: ownHeaders }),
        })
        if (got.status === 200) expect(got.body, name).not.toMatch(foreign[host] as RegExp)
        for (const { email } of people) if (email !== reader) expect(got.body, name).not.toContain(email)
      }
    }
    await Promise.all(Array.from({ length: 8 }, lane))
    expect(outcomes.hit).toBeGreaterThan(count / 3)
    expect(outcomes.pass).toBeGreaterThan(count / 20)
    // The API is not on domains; who one is differs from person to person.
    expect((await edge.ask('/api/v1/publications', { host: 'clairval.test', headers: source })).status).toBe(
      421,
    )
    for (const { email } of people) {
      const { body, cache } = await edge.ask('/api/v1/me', {
        ...{ host: 'parvis.test', headers: readers[`${email}`] ?? {} },
      })
      expect([JSON.parse(body).data.email, cache]).toEqual([email, 'pass'])
    }
  },
  300_000,
)

test('what is hidden is gone from every host within 5 s, for every reader', async () => {
  await untilQuiet()
  const places = [
    ...[
      '/publications/fete-aubeterre',
      '/communes/aubeterre',
      '/communes/aubeterre/publications.rss',
    ].flatMap((path) => [
      { host: 'parvis.test', path },
      { host: 'www.aubeterre.test', path },
    ]),
    { host: 'www.aubeterre.test', path: '/' },
    { host: 'parvis.test', path: '/api/v1/publications' },
  ]
  const other = { host: 'clairval.test', path: '/mentions-legales' }
  const ask = ({ host, path }: { host: string; path: string }, reader = 'anonymous') =>
    edge.ask(path, { host, headers: readers[reader] ?? {} })
  for (const place of [...places, other])
    await vi.waitFor(async () => expect((await ask(place)).cache, place.path).toBe('hit'), {
      ...{ timeout: 30_000, interval: 20 },
    })
  const decision = { moderation_status: 'rejected', reason: 'Hors sujet' }
  const path = `/admin/publications/${feteOfAubeterre.id}/moderate`
  expect((await admin.patch(path, decision)).status).toBe(200)
  const slow = slowdown()
  const since = performance.now()
  for (const place of places)
    for (const reader of Object.keys(readers))
      await vi.waitFor(
        async () => expect((await ask(place, reader)).body).not.toContain('Fête d’Aubeterre'),
        { timeout: 5_000 * slow, interval: 20 },
      )
  expect(performance.now() - since).toBeLessThan(5_000 * slow)
  expect((await ask(other)).cache).toBe('hit')
}, 60_000)
