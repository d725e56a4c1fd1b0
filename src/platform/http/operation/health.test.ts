import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { openWorld, run } from '../../../../test/support/world.ts'
import { generous, openSlowWorld, takeConnections } from '../slow-world.test-kit.ts'

test('GET /healthz and GET /readyz return 200 while the database is available', async () => {
  const { url } = await openWorld()
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'alive' })
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready', version, jobs: 'on' })
})

test('GET / redirects to the documentation', async () => {
  const { url } = await openWorld({ env: { SITE: 'off' } })
  const page = await fetch(url)
  expect(page.url).toBe(`${url}/docs/`)
  expect(page.headers.get('content-type')).toContain('text/html')
})

test('GET /readyz returns 503 while the database is read-only', async () => {
  const { url, database } = await openWorld()
  const { name, superuser } = database
  const elsewhere = { ...superuser, database: 'postgres' }
  const set = (value: string) =>
    run(elsewhere, `alter database ${name} set default_transaction_read_only = ${value}`)
  // Connections take the setting when they are opened.
  const cut = `select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = '${name}'`
  const becomes = (status: number) =>
    vi.waitFor(async () => {
      await run(elsewhere, cut)
      const answer = await fetch(`${url}/readyz`)
      expect(answer.status).toBe(status)
      return answer
    }, generous)
  await set('on')
  expect(await (await becomes(503)).json()).toMatchObject({ error: 'unavailable' })
  await set('off')
  await becomes(200)
})

test('GET /readyz returns 503 within its own timeout and sends one query for concurrent requests', async () => {
  const { url, pools } = await openWorld({ timeoutMs: 600_000 })
  const taken = await takeConnections(pools.health)
  const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/readyz`)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503))
  expect(pools.health.waitingCount).toBe(1)
  for (const client of taken) client.release()
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), generous)
})

test('after the stop signal it is not ready, closes each connection after its response and still serves', async () => {
  const { get, app, url, entered, release } = await openSlowWorld()
  const inFlight = get('/test/waiting')
  await entered
  app.drain.announce()
  const ready = await fetch(`${url}/readyz`)
  expect(ready.status).toBe(503)
  expect(ready.headers.get('retry-after')).toBe('5')
  const served = await get('/communes')
  release()
  for (const { status, headers } of [served, await inFlight, await fetch(`${url}/healthz`)]) {
    expect([status, headers.get('connection')]).toEqual([200, 'close'])
  }
  expect((await get('/communes?page=0')).headers.get('connection')).toBe('close')
})

test('while finishing, readyz and new requests return 503 and the request in flight completes', async () => {
  const { get, app, url, entered, release } = await openSlowWorld()
  const inFlight = get('/test/waiting')
  await entered
  app.drain.announce()
  const finished = app.drain.finish(60_000)
  const ready = await fetch(`${url}/readyz`)
  expect(ready.status).toBe(503)
  expect(ready.headers.get('retry-after')).toBe('5')
  expect(await get('/communes')).toBeError(503, 'unavailable')
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  release()
  expect((await inFlight).status).toBe(200)
  await finished
})

test('finishing waits no longer than its limit', async () => {
  const { get, app, entered, release } = await openSlowWorld()
  const inFlight = get('/test/waiting')
  await entered
  await app.drain.finish(100)
  release()
  expect((await inFlight).status).toBe(200)
})
