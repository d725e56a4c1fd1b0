import { readFileSync } from 'node:fs'
import { connect as connectSocket } from 'node:net'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { openWorld, run } from '../../../test/support/world.ts'
import type { Pools } from '../database/connect.ts'
import { defaultPools } from '../database/pools/pools.ts'
import type { OpenApiDocument } from './openapi/types.ts'
import { createRegistry, serveMetrics, watchPools } from './operation/metrics.ts'
import { generous, openSlowWorld, takeConnections } from './slow-world.test-kit.ts'

test('every read returns 503 with Retry-After while the database is unavailable, and recovers without a restart', async () => {
  const { get, url, database, db } = await openWorld()
  expect((await get('/communes')).status).toBe(200)
  const { name, superuser } = database
  const elsewhere = { ...superuser, database: 'postgres' }
  await run(elsewhere, `alter database ${name} allow_connections false`)
  const cut = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`
  await vi.waitFor(async () => expect((await run(elsewhere, cut)).rowCount).toBe(0), generous)
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

test('returns 503 when the connection is cut during a statement, and serves the next request', async () => {
  const { get, pools, database } = await openSlowWorld()
  const { name, superuser } = database
  for (const client of await takeConnections(pools.reads)) client.release()
  const cut = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'
    and state = 'active' and query = 'select pg_sleep(30)'`
  for (let round = 0; round < 5; round++) {
    const slow = get('/test/slow')
    await vi.waitFor(async () => expect((await run(superuser, cut)).rowCount).toBe(1), generous)
    expect(await slow).toBeError(503, 'unavailable')
    expect((await get('/communes')).status).toBe(200)
  }
})

test('returns 503 for a statement that takes too long or waits too long for a lock', async () => {
  const { pools } = await openWorld({ limits: defaultPools })
  for (const [name, { statementMs, lockMs }] of Object.entries(defaultPools)) {
    const { rows } = await pools[name as keyof Pools].query(
      "select name, setting::int from pg_settings where name like '%_timeout'",
    )
    const settings = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
    expect(settings).toMatchObject({
      statement_timeout: statementMs,
      lock_timeout: lockMs,
      idle_in_transaction_session_timeout: 15_000,
    })
    expect(lockMs).toBeLessThan(statementMs)
  }
  const world = await openSlowWorld()
  expect(await world.get('/test/stuck')).toBeError(503, 'unavailable')
})

test('returns 503 when a list waits too long for a connection', async () => {
  const { get, pools } = await openWorld({ timeoutMs: 3_000 })
  const taken = await takeConnections(pools.lists)
  expect(await get('/communes')).toBeError(503, 'unavailable')
  expect(await get('/communes/nowhere')).toBeError(404, 'not_found')
  for (const client of taken) client.release()
  expect((await get('/communes')).status).toBe(200)
})

test('returns 503 with Retry-After under pressure, while healthz and static files respond', async () => {
  const { get, url } = await openSlowWorld({ maxEventLoopDelayMs: 100 })
  const [stylesheet] = /\/site\/[\w-]+\.css/.exec(await (await fetch(url)).text()) ?? []
  // Pressure is an average since the last sample; a delay just before a sample is averaged out.
  await vi.waitFor(async () => {
    await get('/test/busy')
    const refused = await get('/communes')
    const health = await fetch(`${url}/healthz`)
    const file = await fetch(`${url}${stylesheet}`)
    const refusedStill = await get('/communes')
    expect(refused).toBeError(503, 'unavailable')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(health.status).toBe(200)
    expect(file.status).toBe(200)
    expect(refusedStill).toBeError(503, 'unavailable')
  }, generous)
})

test('CORS allows only the configured origins', async () => {
  const { get, url } = await openWorld({
    env: { CORS_ORIGINS: 'https://app.example.org, https://b.example' },
  })
  const allowed = await get('/communes', { headers: { origin: 'https://app.example.org' } })
  expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example.org')
  expect(allowed.headers.get('vary')).toBe('Origin, X-App-Source')
  const other = await get('/communes', { headers: { origin: 'https://evil.example' } })
  expect(other.headers.get('access-control-allow-origin')).toBeNull()
  const preflight = await fetch(`${url}/api/v1/communes`, {
    method: 'OPTIONS',
    headers: { origin: 'https://b.example', 'access-control-request-method': 'GET' },
  })
  expect(preflight.status).toBe(204)
  const headers = preflight.headers.get('access-control-allow-headers')
  for (const name of ['X-App-Source', 'If-Match', 'Idempotency-Key']) expect(headers).toContain(name)
})

test('CORS allows the methods and exposes the headers of the OpenAPI document', async () => {
  const { url } = await openWorld({ env: { CORS_ORIGINS: 'https://app.example.org' } })
  const document = (await (await fetch(`${url}/docs/openapi.json`)).json()) as OpenApiDocument
  const operations = Object.values(document.paths).flatMap((path) => Object.entries(path))
  const preflight = await fetch(`${url}/api/v1/communes`, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example.org', 'access-control-request-method': 'PUT' },
  })
  const listed = (headers: Headers, name: string) => headers.get(name)?.split(', ').sort()
  const methods = new Set(operations.map(([method]) => method.toUpperCase()))
  expect(listed(preflight.headers, 'access-control-allow-methods')).toEqual([...methods].sort())

  const response = await fetch(`${url}/api/v1/communes`, { headers: { origin: 'https://app.example.org' } })
  const exposed = listed(response.headers, 'access-control-expose-headers')
  const shared = Object.values(document.components.responses ?? {})
  const documented = operations.flatMap(([, { responses }]) =>
    [...Object.values(responses), ...shared].flatMap((answer) =>
      Object.keys((answer as { headers?: object }).headers ?? {}),
    ),
  )
  const alwaysReadable = [
    'Cache-Control',
    'Content-Language',
    'Content-Length',
    'Content-Type',
    'Last-Modified',
  ]
  const needed = [...new Set(documented)].filter((name) => !alwaysReadable.includes(name))
  expect(exposed).toEqual(expect.arrayContaining([...needed, 'Deprecation', 'Sunset']))
})

test('CORS: a browser may read the 404 of an unknown route, and the challenge of a 401', async () => {
  const { get, send } = await openWorld({ env: { CORS_ORIGINS: 'https://app.example.org' } })
  const headers = { origin: 'https://app.example.org' }
  for (const answer of [
    await get('/nowhere', { headers }),
    await send('PUT', '/communes', '{', { headers }),
  ]) {
    expect(answer).toBeError(404, 'not_found')
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.org')
  }
  const refused = await get('/me', { headers })
  expect(refused).toBeError(401, 'unauthenticated')
  expect(refused.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
})

test.each([
  ['with', { CORS_ORIGINS: 'https://app.example.org' }],
  ['without', {}],
])('returns 404 for a method that no route has, %s CORS', async (_kind, env) => {
  const { send } = await openWorld({ env })
  for (const path of ['/communes', '/nowhere'])
    expect(await send('OPTIONS', path)).toBeError(404, 'not_found')
  expect(await send('QUERY', '/communes')).toBeError(404, 'not_found')
  expect(await send('PUT', '/communes', '{')).toBeError(404, 'not_found')
})

test('serves metrics for latency by route, the pool and the event loop on a separate port', async () => {
  const registry = createRegistry()
  const { get, pools, url } = await openWorld({ registry })
  watchPools(registry, pools)
  await get('/communes/nowhere')
  await get('/scanned/path')
  const server = await serveMetrics(registry, '127.0.0.1', 0)
  const { port } = server.address() as { port: number }
  const text = await vi.waitFor(async () => {
    const read = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
    const counted = 'http_request_duration_seconds_count{method="GET",route='
    expect(read).toContain(`${counted}"/api/v1/communes/:slug",status="404"} 1\n`)
    expect(read).toContain(`${counted}"none",status="404"} 1\n`)
    return read
  }, generous)
  server.close()
  expect(text).not.toContain('scanned')
  expect(text).toMatch(/database_pool_connections\{pool="reads",state="total"\} [1-9]/)
  expect(text).toContain('nodejs_eventloop_lag_seconds')
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(text).toContain(
    `parvis_build_info{version="${version}",node="${process.versions.node}",jobs="on"} 1\n`,
  )
  expect(text).toContain('http_requests_admitted{kind="reads",lane="anonymous",state="running"} 0\n')
  expect(text).toContain('http_unread_response_bytes 0\n')
  expect((await fetch(`${url}/metrics`)).status).toBe(404)
})

test('disconnects a client that sends its request too slowly, and without a response one that sends nothing', async () => {
  const { app, url } = await openWorld()
  const { server } = app.server
  expect({ headers: server.headersTimeout, request: server.requestTimeout }).toEqual({
    headers: 10_000,
    request: 20_000,
  })
  server.headersTimeout = 200
  server.requestTimeout = 200
  const receivedAfter = async (sent: string) => {
    const socket = connectSocket(Number(new URL(url).port), '127.0.0.1')
    socket.write(sent)
    return (await socket.toArray()).join('')
  }
  expect(await receivedAfter('GET / HTTP/1.1\r\nHost: a')).toMatch(
    /^HTTP\/1\.1 400 .*"error":"malformed_request"/s,
  )
  expect(await receivedAfter('')).toBe('')
})
