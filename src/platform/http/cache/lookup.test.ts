import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import Type from 'typebox'
import { expect, onTestFinished, test, vi } from 'vitest'
import { exchange, rawRequest } from '../../../../test/support/raw-http.ts'
import { statementsAbout } from '../../../../test/support/statements.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { notifyOn, watchChanges } from '../../database/changes.ts'
import { openSilenceableNetwork } from '../../database/network.test-kit.ts'
import * as audiences from '../audiences.ts'

const world = await openWorld({ keeps: true })
const { get, url, db, as, commune, acteur, database, changes } = world
const other = await openWorld({ keeps: true, database })
const admin = await as('admin')
const quiet = { warn: () => {} }
const generous = { timeout: 30_000, interval: 10 }

/** Returns the commune's name in a response; after a change by SQL, await `heard` first. */
const nameOf = async (id: string, of = world) => (await of.get(`/communes/${id}`)).body.data.nom
const heard = () => Promise.all([changes?.arrived(), other.changes?.arrived()])

/** Statements that read tables: the listening connections also send a bare select now and then. */
const reading = /\bfrom\b/

/** Requests a path until it is cached. */
async function keep(path: string, call = {}) {
  await heard()
  await vi.waitFor(async () => {
    const made = await statementsAbout(reading, () => get(path, call))
    expect(made).toEqual([])
  }, generous)
}

/** Prepares what changes soon; once more and with more time where a slow machine was not done by then. */
async function beforeItIsDue<Prepared>(prepare: (soon: string) => Promise<Prepared>): Promise<Prepared> {
  for (let ms = 1_500; ; ms *= 2) {
    const soon = Date.now() + ms
    const prepared = await prepare(new Date(soon).toISOString())
    if (Date.now() < soon) return prepared
  }
}

test('a cached response needs no statement and has the same bytes, headers and ETag, but its own request id', async () => {
  const { id } = await commune({ nom: 'Attignat' })
  await heard()
  const first = await get(`/communes/${id}`)
  await keep(`/communes/${id}`)
  const again = await get(`/communes/${id}`)
  expect(again.text).toBe(first.text)
  const own = ({ headers }: typeof first) =>
    Object.fromEntries([...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'))
  expect(own(again)).toEqual(own(first))
  expect(again.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  const etag = first.headers.get('etag') ?? ''
  const known = await get(`/communes/${id}`, { headers: { 'if-none-match': etag } })
  expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', etag])
  expect(known.headers.get('content-type')).toBeNull()
})

test('requests that differ bypass the cache: HEAD, no application, a length', async () => {
  const { id } = await commune()
  await keep(`/communes/${id}`)
  const head = await fetch(`${url}/api/v1/communes/${id}`, {
    method: 'HEAD',
    headers: { 'x-app-source': 'public' },
  })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await get(`/communes/${id}`, { source: null })).status).toBe(400)
  const headers = { 'X-App-Source': 'public', 'Content-Length': '0' }
  const withLength = rawRequest('GET', `/api/v1/communes/${id}`, headers)
  const statements = await statementsAbout(reading, async () =>
    expect((await exchange(url, [withLength])).status).toBe(200),
  )
  expect(statements).not.toEqual([])
})

test('pages of other origins get cached responses, each with its own CORS headers', async () => {
  const [app, elsewhere] = ['https://app.example.org', 'https://elsewhere.example.org']
  const { get, commune, changes } = await openWorld({ keeps: true, env: { CORS_ORIGINS: app } })
  const { id } = await commune()
  await changes?.arrived()
  const read = async (origin?: string) => {
    const { headers } = await get(`/communes/${id}`, origin ? { headers: { origin } } : {})
    const names = ['access-control-allow-origin', 'access-control-expose-headers', 'vary', 'etag']
    return names.map((name) => headers.get(name))
  }
  const uncached = await read(app)
  expect(uncached.slice(0, 3)).toEqual([
    app,
    'Deprecation, ETag, Location, Retry-After, Sunset, WWW-Authenticate, X-Request-Id',
    'Origin, X-App-Source',
  ])
  const others = [null, ...uncached.slice(1)]
  await vi.waitFor(async () => {
    const statements = await statementsAbout(reading, async () => {
      expect(await read(app)).toEqual(uncached)
      expect(await read(elsewhere)).toEqual(others)
      expect(await read()).toEqual(others)
    })
    expect(statements).toEqual([])
  }, generous)
})

test('a client sees its own change immediately on the same instance, and within 250 ms on others', async () => {
  const { id } = await commune({ nom: 'Bény' })
  for (let turn = 0; turn < 10; turn++) {
    await keep(`/communes/${id}`)
    await nameOf(id, other)
    expect((await admin.patch(`/admin/communes/${id}`, { nom: `Bény ${turn}` })).status).toBe(200)
    const since = performance.now()
    expect(await nameOf(id)).toBe(`Bény ${turn}`)
    await vi.waitFor(async () => expect(await nameOf(id, other)).toBe(`Bény ${turn}`), generous)
    if (process.env.PARVIS_TEST_LONG) expect(performance.now() - since).toBeLessThan(250)
  }
})

test('a response read during a change is never cached in its old state', async () => {
  const { id } = await commune({ nom: 'Curtafond' })
  for (let turn = 0; turn < 20; turn++) {
    const reads = Array.from({ length: 8 }, () => nameOf(id))
    await admin.patch(`/admin/communes/${id}`, { nom: `Curtafond ${turn}` })
    await Promise.all(reads)
    expect(await nameOf(id)).toBe(`Curtafond ${turn}`)
  }
})

test('a restricted application has its own cached responses, an inactive one none', async () => {
  const [inside, outside] = [await commune(), await commune()]
  const { id: acteur_id } = await acteur({ commune_id: inside.id, can_publish: true, valide: true })
  const body = { title: 'Un', body: 'Deux', acteur_id, commune_id: inside.id }
  expect((await admin.post('/publications', body)).status).toBe(201)
  const restrict = (communes: string[]) =>
    sql`insert into app_sources (code, label, commune_ids) values ('bresse', 'Bresse', ${communes})
      on conflict (code) do update set commune_ids = excluded.commune_ids`.execute(db)
  await restrict([inside.id])
  const total = async (source: string) =>
    (await get(`/publications?acteur_id=${acteur_id}`, { source })).body.meta.total
  await keep(`/publications?acteur_id=${acteur_id}`)
  await keep(`/publications?acteur_id=${acteur_id}`, { source: 'bresse' })
  expect([await total('public'), await total('bresse'), await total('BRESSE')]).toEqual([1, 1, 1])
  await restrict([outside.id])
  await heard()
  expect([await total('public'), await total('bresse')]).toEqual([1, 0])
  await sql`update app_sources set active = false where code = 'bresse'`.execute(db)
  await heard()
  expect(await get(`/publications?acteur_id=${acteur_id}`, { source: 'bresse' })).toBeError(
    403,
    'scope_violation',
  )
})

test('a publication appears when due and stops being featured at its end, without a write', async () => {
  const { due, list, before } = await beforeItIsDue(async (soon) => {
    const { id: acteur_id } = await acteur({ can_publish: true, valide: true })
    const post = async (values: object) =>
      (await admin.post('/publications', { title: 'Un', body: 'Deux', acteur_id, ...values })).body.data?.id
    const featured = await post({})
    await admin.patch(`/admin/publications/${featured}/feature`, { en_avant: true, featured_until: soon })
    const due = await post({ publie_le: soon })
    const list = async () => {
      const { data, meta } = (await get(`/publications?acteur_id=${acteur_id}`)).body
      return [meta.total, data.find(({ id }: { id: string }) => id === featured)?.en_avant]
    }
    return { due, list, before: await list() }
  })
  expect(before).toEqual([1, true])
  await vi.waitFor(async () => expect(await list()).toEqual([2, false]), { timeout: 30_000, interval: 50 })
  expect((await get(`/publications/${due}`)).status).toBe(200)
})

test('a scheduled publication appears when due, also if its acteur was hidden when others were read', async () => {
  const { path, before } = await beforeItIsDue(async (publie_le) => {
    const { id: acteur_id } = await acteur({ valide: true, can_publish: true })
    const { id: commune_id } = await commune()
    await admin.post('/publications', { title: 'Un', body: 'Deux', acteur_id, commune_id, publie_le })
    const hide = (active: boolean) =>
      db.updateTable('acteurs').set({ active }).where('id', '=', acteur_id).execute()
    await hide(false)
    const path = `/communes/${commune_id}/publications`
    await keep(path)
    await hide(true)
    await keep(path)
    return { path, before: (await get(path)).body.meta.total }
  })
  expect(before).toBe(0)
  await vi.waitFor(async () => expect((await get(path)).body.meta.total).toBe(1), {
    timeout: 30_000,
    interval: 50,
  })
})

test('when the listening connection is lost nothing is served from the cache until it is back', async () => {
  const { id } = await commune({ nom: 'Dompierre' })
  await keep(`/communes/${id}`)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name like 'parvis-changes %' and datname = current_database()`.execute(db)
  await vi.waitFor(() => expect(changes?.generationOf([])).toBeNull(), { timeout: 30_000, interval: 1 })
  await sql`update communes set nom = 'Dompierre-sur-Veyle' where id = ${id}`.execute(db)
  expect(await nameOf(id)).toBe('Dompierre-sur-Veyle')
  await vi.waitFor(() => expect(changes?.generationOf([])).not.toBeNull(), generous)
  expect(await nameOf(id)).toBe('Dompierre-sur-Veyle')
  await keep(`/communes/${id}`)
})

test('an unresponsive listening connection is detected and replaced', async () => {
  const { connection, fallSilent, speak } = await openSilenceableNetwork(database.service)
  const watched = watchChanges(connection, notifyOn(db), quiet, {
    checkEveryMs: 20,
    responseTimeoutMs: 300,
    retryMs: 20,
  })
  const hears = () => watched.generationOf([]) !== null
  await vi.waitFor(() => expect(hears()).toBe(true), generous)
  const before = watched.generationOf([]) ?? 0
  fallSilent()
  await vi.waitFor(() => expect(hears()).toBe(false), generous)
  // The wait for notifications is short.
  await watched.arrived()
  speak()
  await vi.waitFor(() => expect(hears()).toBe(true), generous)
  expect(watched.generationOf([])).toBeGreaterThan(before)
  await watched.close()
  await sleep(1)
  expect(hears()).toBe(false)
})

test('unknown parameters, and the order and encoding of parameters, create no separate cache entry', async () => {
  const { id } = await commune({ nom: 'Étrez' })
  await keep(`/communes/${id}`)
  await keep('/communes?departement=01&per_page=2')
  const { bytes = 0 } = world.app.cache ?? {}
  const same = [
    `/communes/${id}?utm_source=a`,
    `/communes/${id}?utm_source=b&fbclid=c`,
    `/communes/${id}?`,
    '/communes?per_page=2&departement=01',
    '/communes?%70er_page=02&departement=%301&utm_id=3',
  ]
  for (const path of same) {
    const [sent, first] = [await statementsAbout(reading, () => get(path)), await get(path)]
    expect([path, sent, first.status]).toEqual([path, [], 200])
  }
  expect(world.app.cache?.bytes).toBe(bytes)
  // Another encoding of the path is a cache miss and creates no entry either.
  for (let time = 0; time < 3; time++)
    expect((await get(`/communes/${id.toUpperCase()}`)).body.data.nom).toBe('Étrez')
  expect((await get('/communes?per_page=0')).status).toBe(422)
  expect(world.app.cache?.bytes).toBe(bytes)
})

/** A world with a route that reads a commune's name, then waits until it is released, and counts its calls. */
async function openWaitingWorld() {
  const releases: (() => void)[] = []
  const opened = await openWorld({
    keeps: true,
    extraRoutes: (api, deps) =>
      audiences.publicReads(api, deps, (scope) => {
        const schema = {
          operationId: 'a',
          summary: 'a',
          tags: ['communes'],
          response: { 200: Type.Unknown() },
        }
        scope.get('/test/name', { schema, config: { caching: { shows: ['communes'] } } }, async () => {
          const { nom } = await deps.reads.selectFrom('communes').select('nom').executeTakeFirstOrThrow()
          await new Promise<void>((resolve) => void releases.push(resolve))
          return { nom }
        })
      }),
  })
  const { id } = await opened.commune({ nom: 'Foissiat' })
  await opened.get('/communes')
  await opened.changes?.arrived()
  let received = ''
  return {
    ...opened,
    id,
    releases,
    untilRead: (count: number) => vi.waitUntil(() => releases.length === count, generous),
    /** Sends this many pipelined reads on one connection. */
    ask(count: number) {
      const socket = connect(Number(new URL(opened.url).port), '127.0.0.1')
      onTestFinished(async () => void socket.destroy())
      socket.on('data', (data) => (received += data))
      socket.write('GET /api/v1/test/name HTTP/1.1\r\nHost: a\r\nX-App-Source: public\r\n\r\n'.repeat(count))
      return socket
    },
    /** Counts the responses by name. */
    names: () =>
      Object.groupBy(
        [...received.matchAll(/"nom":"([^"]*)"/g)].map(([, name = '']) => name),
        (name) => name,
      ),
  }
}

test('identical concurrent reads are computed once, also if one of the clients disconnects', async () => {
  const { ask, releases, untilRead, names, app } = await openWaitingWorld()
  const first = ask(1)
  await untilRead(1)
  // A connection has sixteen unanswered requests at most.
  ask(15)
  ask(15)
  await vi.waitUntil(() => app.cache?.joined === 30, generous)
  first.destroy()
  releases[0]?.()
  await vi.waitFor(() => expect(names().Foissiat).toHaveLength(30), generous)
  expect(releases).toHaveLength(1)
  expect(app.cache?.shared).toBe(30)
})

test('a read started before a change is not shared with a request sent after it', async () => {
  const { ask, releases, untilRead, names, app, as, id } = await openWaitingWorld()
  ask(1)
  await untilRead(1)
  ask(2)
  await vi.waitUntil(() => app.cache?.joined === 2, generous)
  expect((await (await as('admin')).patch(`/admin/communes/${id}`, { nom: 'Foissiat-le-Neuf' })).status).toBe(
    200,
  )
  ask(3)
  await untilRead(2)
  await vi.waitUntil(() => app.cache?.joined === 4, generous)
  for (const release of releases) release()
  await vi.waitFor(() => {
    expect(names().Foissiat).toHaveLength(3)
    expect(names()['Foissiat-le-Neuf']).toHaveLength(3)
  }, generous)
  expect(releases).toHaveLength(2)
})

test('a response to what people type of their own is not cached', async () => {
  const { slug } = await commune({ nom: 'Adressée' })
  const read = (search: string) => fetch(`${url}/communes/${slug}/collectes${search}`)
  await heard()
  const made = async (search: string) =>
    (await statementsAbout(reading, async () => void (await (await read(search)).text()))).length
  await vi.waitFor(async () => expect(await made('')).toBe(0), generous)
  for (let time = 0; time < 2; time++) expect(await made('?adresse=rue+haute')).toBeGreaterThan(0)
  const private_ = await read('?adresse=rue+haute')
  expect(private_.headers.get('cache-control')).toBe('no-store')
  expect(private_.headers.get('cdn-cache-control')).toBeNull()
  expect((await read('')).headers.get('cache-control')).not.toBe('no-store')
})
