import { connect as connectSocket } from 'node:net'
import { sql } from 'kysely'
import type pg from 'pg'
import { pino } from 'pino'
import Type from 'typebox'
import { expect, test, vi } from 'vitest'
import { openWorld, run } from '../../../test/harness/world.ts'
import { createLog } from '../log.ts'
import * as audiences from './audiences.ts'
import { createMetrics, serveMetrics } from './metrics.ts'

const schema = (operationId: string) => ({
  operationId,
  summary: operationId,
  tags: ['communes'],
  response: { 200: Type.Unknown() },
})

// For what comes at once where nothing else runs.
const patience = { timeout: 15_000 }

/**
 * A world with a route that answers once it is let go, two that take their time in the database, and one that blocks
 * the event loop.
 */
async function openSlowWorld(options: Parameters<typeof openWorld>[0] = {}) {
  const entered = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const world = await openWorld({
    ...options,
    extraRoutes: (api, deps) =>
      audiences.publicReads(api, deps, (scope) => {
        scope.get('/test/held', { schema: schema('held') }, async () => {
          entered.resolve()
          await released.promise
          return {}
        })
        scope.get('/test/slow', { schema: schema('slow') }, async () => {
          await sql`select pg_sleep(30)`.execute(deps.db)
          return {}
        })
        scope.get('/test/stuck', { schema: schema('stuck') }, async () => {
          await sql`set local statement_timeout = 50; select pg_sleep(5)`.execute(deps.db)
          return {}
        })
        scope.get('/test/busy', { schema: schema('busy') }, async () => {
          const until = performance.now() + 1_500
          while (performance.now() < until);
          return {}
        })
      }),
  })
  return { ...world, entered: entered.promise, release: released.resolve }
}

/** One after the other: each has its time to connect. */
async function borrow(pool: pg.Pool, count: number): Promise<pg.PoolClient[]> {
  const clients: pg.PoolClient[] = []
  while (clients.length < count) clients.push(await pool.connect())
  return clients
}

test('GET /healthz answers 200 and GET /readyz answers 200 while the database is there', async () => {
  const { url } = await openWorld()
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'alive' })
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready' })
})

test('while it drains, readyz and new requests answer 503, and the request in flight is answered', async () => {
  const { get, app, url, entered, release } = await openSlowWorld()
  const inFlight = get('/test/held')
  await entered
  const drained = app.drain.begin(60_000)
  const ready = await fetch(`${url}/readyz`)
  expect(ready.status).toBe(503)
  expect(ready.headers.get('retry-after')).toBe('5')
  expect(await get('/communes')).toBeError(503, 'unavailable')
  release()
  expect((await inFlight).status).toBe(200)
  await drained
})

test('draining waits no longer than it is told', async () => {
  const { get, app, entered, release } = await openSlowWorld()
  const inFlight = get('/test/held')
  await entered
  await app.drain.begin(100)
  release()
  expect((await inFlight).status).toBe(200)
})

test('with the database away every read answers 503 with Retry-After, and recovers without a restart', async () => {
  const { get, url, database, db } = await openWorld()
  expect((await get('/communes')).status).toBe(200)
  const { name, superuser } = database
  const elsewhere = { ...superuser, database: 'postgres' }
  await run(elsewhere, `alter database ${name} allow_connections false`)
  const cut = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`
  await vi.waitFor(async () => expect((await run(elsewhere, cut)).rowCount).toBe(0), patience)
  for (let i = 0; i < 3; i++) {
    const answer = await get('/communes')
    expect(answer).toBeError(503, 'unavailable')
    expect(answer.headers.get('retry-after')).toBe('5')
  }
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  await run(elsewhere, `alter database ${name} allow_connections true`)
  expect((await get('/communes')).status).toBe(200)
  expect((await sql<{ n: number }>`select 1 as n`.execute(db)).rows).toEqual([{ n: 1 }])
})

test('a connection cut in mid-statement answers 503, and the next request is served', async () => {
  const { get, pool, database } = await openSlowWorld()
  const { name, superuser } = database
  // A connection for each round, so that none depends on how soon another is made.
  for (const client of await borrow(pool, 6)) client.release()
  const cut = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'
    and state = 'active' and query = 'select pg_sleep(30)'`
  for (let round = 0; round < 5; round++) {
    const slow = get('/test/slow')
    await vi.waitFor(async () => expect((await run(superuser, cut)).rowCount).toBe(1), patience)
    expect(await slow).toBeError(503, 'unavailable')
    expect((await get('/communes')).status).toBe(200)
  }
})

test('a statement that takes too long, or waits too long for a lock, answers 503', async () => {
  const { pool } = await openWorld()
  const { rows } = await pool.query(
    "select name, setting::int from pg_settings where name like '%_timeout' order by name",
  )
  const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
  expect(settings).toMatchObject({
    statement_timeout: 10_000,
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 15_000,
  })
  const world = await openSlowWorld()
  expect(await world.get('/test/stuck')).toBeError(503, 'unavailable')
})

test('when all connections are busy, who waits too long is answered 503', async () => {
  const { get, pool } = await openWorld({ patienceMs: 3_000 })
  const held = await borrow(pool, 10)
  expect(await get('/communes')).toBeError(503, 'unavailable')
  for (const client of held) client.release()
  expect((await get('/communes')).status).toBe(200)
})

test('under pressure requests answer 503 with Retry-After, healthz still answers', async () => {
  const { get, url } = await openSlowWorld({ maxEventLoopDelayMs: 100 })
  // Pressure is an average since the last look: a delay that comes late before a look drowns in it.
  await vi.waitFor(async () => {
    await get('/test/busy')
    const refused = await get('/communes')
    const health = await fetch(`${url}/healthz`)
    const refusedStill = await get('/communes')
    expect(refused).toBeError(503, 'unavailable')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(health.status).toBe(200)
    expect(refusedStill).toBeError(503, 'unavailable')
  }, patience)
})

test('CORS: only the listed origins are allowed', async () => {
  const { get, url } = await openWorld({
    env: { CORS_ORIGINS: 'https://app.example.org, https://b.example' },
  })
  const allowed = await get('/communes', { headers: { origin: 'https://app.example.org' } })
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example.org')
  expect(allowed.headers.get('vary')).toBe('Origin, X-App-Source, Accept-Language')
  const other = await get('/communes', { headers: { origin: 'https://evil.example' } })
  expect(other.headers.get('access-control-allow-origin')).toBeNull()
  const preflight = await fetch(`${url}/api/v1/communes`, {
    method: 'OPTIONS',
    headers: { origin: 'https://b.example', 'access-control-request-method': 'GET' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-headers')).toContain('X-App-Source')
})

test.each([
  ['with', { CORS_ORIGINS: 'https://app.example.org' }],
  ['without', {}],
])('a method that no path has is a 404 like any other, %s CORS', async (_kind, env) => {
  const { send } = await openWorld({ env })
  for (const path of ['/communes', '/nowhere'])
    expect(await send('OPTIONS', path)).toBeError(404, 'not_found')
  expect(await send('QUERY', '/communes')).toBeError(404, 'not_found')
  expect(await send('PUT', '/communes', '{')).toBeError(404, 'not_found')
})

test('the log has one line per request, without the path as it was sent, query strings and tokens', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const { get, url } = await openWorld({ log })
  await get('/communes?q=personal', { token: 'very-secret-token' })
  await fetch(`${url}/healthz`)
  const requests = () => lines.map((line) => JSON.parse(line)).filter((line) => line.route !== undefined)
  await vi.waitFor(() => {
    expect(requests().map(({ route }) => route)).toEqual(['/api/v1/communes', '/healthz'])
  }, patience)
  expect(requests()[0]).toMatchObject({ method: 'GET', status: 200 })
  expect(requests()[0].request_id).toMatch(/^[0-9a-f-]{36}$/)
  expect(lines.join()).not.toMatch(/personal|very-secret/)
})

test('the log keeps secrets out of whatever it is given', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  log.info({ password: 'hush', headers: { authorization: 'hush' }, deep: { settings: { secret: 'hush' } } })
  const error = Object.assign(new Error('duplicate key'), {
    detail: 'Key (email)=(hush) exists',
    code: '23505',
  })
  log.error({ err: error })
  expect(lines.join()).not.toContain('hush')
  expect(lines[1]).toContain('23505')
})

test('metrics tell latency by route, the pool and the event loop, on a port of their own', async () => {
  const metrics = createMetrics()
  const { get, pool, url } = await openWorld({ metrics })
  metrics.watchPool(pool)
  await get('/communes/nowhere')
  await get('/scanned/path')
  const server = await serveMetrics(metrics.registry, '127.0.0.1', 0)
  const { port } = server.address() as { port: number }
  const text = await vi.waitFor(async () => {
    const read = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const counted = 'http_request_duration_seconds_count{method="GET",route='
    expect(read).toContain(`${counted}"/api/v1/communes/:slug",status="404"} 1\n`)
    expect(read).toContain(`${counted}"none",status="404"} 1\n`)
    return read
  }, patience)
  server.close()
  expect(text).not.toContain('scanned')
  expect(text).toMatch(/database_pool_connections\{state="total"\} [1-9]/)
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  expect((await fetch(`${url}/metrics`)).status).toBe(404)
})

test('a client that sends its request too slowly is let go', async () => {
  const { app, url } = await openWorld()
  const { server } = app.server
  expect({ headers: server.headersTimeout, request: server.requestTimeout }).toEqual({
    headers: 10_000,
    request: 20_000,
  })
  server.headersTimeout = 200
  server.requestTimeout = 200
  const { promise, resolve } = Promise.withResolvers<string>()
  let received = ''
  const socket = connectSocket(Number(new URL(url).port), '127.0.0.1', () =>
    socket.write('GET / HTTP/1.1\r\nHost: a'),
  )
  socket.on('data', (data) => {
    received += data
  })
  socket.on('close', () => resolve(received))
  expect(await promise).toMatch(/^HTTP\/1\.1 400 .*"error":"malformed_request"/s)
})
