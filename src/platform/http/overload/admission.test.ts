import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Type from 'typebox'
import { expect, onTestFinished, test, vi } from 'vitest'
import { isWhole } from '../../../../test/support/sample.ts'
import { openSession } from '../../../../test/support/sessions.ts'
import { openWorld } from '../../../../test/support/world.ts'
import { createLog } from '../../log/log.ts'
import * as audiences from '../audiences.ts'
import { pagingQuery } from '../listing/paging.ts'
import { type AdmissionLimits, defaultAdmissionLimits } from './admission.ts'

const described = (operationId: string) => ({
  operationId,
  summary: operationId,
  tags: ['communes'],
  response: { 200: Type.Unknown() },
})
// Generous timeout for steps that are immediate on a quiet machine.
const generous = { timeout: 30_000 }
const oneSlot = {
  ...{ slots: 1, reserved: { signedIn: 0, anonymous: 0 }, anonymousWhileSignedIn: 1 },
  ...{ targetMs: 600_000, maxWaitMs: 600_000, capacity: 0 },
}
const andAQueue = (capacity: number) => ({ ...oneSlot, capacity })
const lanesApart = { ...oneSlot, slots: 2, reserved: { signedIn: 1, anonymous: 1 } }

/** A world with a record, a list, a write and a signed-in read that answer once they are released. */
async function openWaitingWorld(
  limits: Partial<AdmissionLimits> = {},
  options: Parameters<typeof openWorld>[0] = {},
) {
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let handled = 0
  const handle = async () => {
    handled++
    await released
    return {}
  }
  const list = { ...described('list'), querystring: Type.Object(pagingQuery(15)) }
  const write = { ...described('write'), body: Type.Object({ name: Type.String() }) }
  const world = await openWorld({
    log,
    admissionLimits: { reads: oneSlot, lists: oneSlot, writes: oneSlot, ...limits },
    extraRoutes: (api, deps) => {
      audiences.publicReads(api, deps, (scope) => {
        scope.get(
          '/test/record',
          { config: { caching: { never: 'test' } }, schema: described('record') },
          handle,
        )
        scope.get('/test/list', { config: { caching: { never: 'test' } }, schema: list }, handle)
      })
      audiences.publicWrites(api, deps, (scope) => scope.post('/test/write', { schema: write }, handle))
      audiences.bearer(api, deps, (scope) => scope.get('/test/mine', { schema: described('mine') }, handle))
    },
    ...options,
  })
  onTestFinished(async () => release())
  const { id, token } = await world.user()
  const { headers } = await openSession(world.db, id)
  const { limits: running } = world.app
  return {
    ...world,
    lines,
    release,
    write: () => world.post('/test/write', { name: 'a' }),
    mine: () => world.get('/test/mine', { token }),
    mineBySession: () => world.get('/test/mine', { headers }),
    /** Waits until this many requests have reached a handler. */
    untilHandled: (count: number) => vi.waitUntil(() => handled === count, generous),
    untilQueued: (kind: keyof AdmissionLimits, count: number) =>
      vi.waitUntil(() => running[kind].load.anonymous.queued === count, generous),
    expectNoneLeft() {
      for (const { load } of Object.values(running))
        for (const lane of Object.values(load)) expect(lane).toMatchObject({ running: 0, queued: 0 })
    },
  }
}

test.runIf(isWhole)(
  'an idle service serves 200 concurrent lists and 64 sequential clients without refusals',
  async () => {
    const { get } = await openWorld({
      keeps: true,
      // A loaded machine may take longer than the longest wait.
      admissionLimits: {
        ...defaultAdmissionLimits,
        lists: { ...defaultAdmissionLimits.lists, maxWaitMs: 60_000 },
      },
      extraRoutes: (api, deps) =>
        audiences.publicReads(api, deps, (scope) => {
          const list = { ...described('list'), querystring: Type.Object(pagingQuery(15)) }
          scope.get('/test/list', { config: { caching: { never: 'test' } }, schema: list }, async () => {
            await sleep(5)
            return {}
          })
        }),
    })
    const list = async () => (await get('/test/list')).status
    const burst = await Promise.all(Array.from({ length: 200 }, list))
    expect(new Set(burst)).toEqual(new Set([200]))
    const statuses = new Set<number>()
    const end = performance.now() + 2_500
    const loop = async () => {
      while (performance.now() < end) statuses.add(await list())
    }
    await Promise.all(Array.from({ length: 64 }, loop))
    expect(statuses).toEqual(new Set([200]))
  },
)

test('a request beyond slots and queue is refused with 503 and Retry-After, and counted; the log has a sample', async () => {
  const world = await openWaitingWorld({ reads: { ...andAQueue(2), slots: 2 } })
  const { get, app, lines, release, untilHandled, untilQueued, expectNoneLeft } = world
  const running = [get('/test/record'), get('/test/record')]
  await untilHandled(2)
  const queued = get('/test/record')
  await untilQueued('reads', 1)
  const refused = await Promise.all([get('/test/record'), get('/test/record'), get('/test/record')])
  for (const answer of refused) {
    expect(answer).toBeError(503, 'unavailable')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(app.limits.reads.load.anonymous.refused).toEqual({ 'one caller fills its share of the queue': 3 })
  const warnings = lines.filter(({ level }) => level !== 30)
  expect(warnings).toEqual([
    {
      ...{ level: 40, time: expect.any(Number) },
      ...{ request_id: expect.any(String), method: 'GET', route: '/api/v1/test/record', status: 503 },
      ...{ ms: expect.any(Number), from: '127.0.0.0/24' },
      ...{ error: 'unavailable', reason: 'one caller fills its share of the queue' },
    },
  ])
  release()
  for (const answer of [...running, queued]) expect((await answer).status).toBe(200)
  await vi.waitFor(() => expect(lines.some(({ queued_ms }) => Number(queued_ms) > 50)).toBe(true), generous)
  expectNoneLeft()
})

test('an early refusal has the headers and body of every 503, in both languages', async () => {
  const origin = 'https://app.example.org'
  const world = await openWaitingWorld({}, { env: { CORS_ORIGINS: origin } })
  const { get, app, release, untilHandled } = world
  const running = get('/test/record')
  await untilHandled(1)
  for (const headers of [
    {},
    { origin },
    { origin: 'https://other.example.org' },
    { 'accept-language': 'fr' },
  ]) {
    const early = await get('/test/record', { headers })
    // Fastify decodes this path; the route table does not.
    const late = await get('/test/%72ecord', { headers })
    expect([early.status, late.status]).toEqual([503, 503])
    expect(early.text).toBe(late.text)
    const said = (answer: typeof early) =>
      [...answer.headers]
        .filter(([name]) => !['x-request-id', 'date', 'vary', 'retry-after'].includes(name))
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
    expect(said(early)).toEqual(said(late))
    expect(early.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  }
  expect(app.limits.reads.load.anonymous.refused).toEqual({ 'one caller fills its share of the queue': 8 })
  release()
  expect((await running).status).toBe(200)
})

test('health and documentation are served while no slot is free', async () => {
  const { get, mine, write, url, release, untilHandled, expectNoneLeft } = await openWaitingWorld()
  const answers = [get('/test/record'), get('/test/list'), write()]
  await untilHandled(3)
  for (const send of [() => get('/test/record'), mine, write, () => get('/communes')])
    expect(await send()).toBeError(503, 'unavailable')
  for (const path of ['/healthz', '/readyz', '/docs/openapi.json'])
    expect((await fetch(`${url}${path}`)).status).toBe(200)
  release()
  for (const answer of answers) expect((await answer).status).toBe(200)
  expectNoneLeft()
})

test.each(['mine', 'mineBySession'] as const)(
  'anonymous requests leave a slot to signed-in clients, and the reverse: %s',
  async (name) => {
    const { get, [name]: mine, release, untilHandled } = await openWaitingWorld({ reads: lanesApart })
    const answers = [get('/test/record')]
    await untilHandled(1)
    expect(await get('/test/record')).toBeError(503, 'unavailable')
    answers.push(mine())
    await untilHandled(2)
    expect(await mine()).toBeError(503, 'unavailable')
    release()
    for (const answer of answers) expect((await answer).status).toBe(200)
  },
)

test('an anonymous flood of lists leaves a slot and a database connection to signed-in lists', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const list = (name: string) => ({ ...described(name), querystring: Type.Object(pagingQuery(15)) })
  const world = await openWorld({
    admissionLimits: defaultAdmissionLimits,
    extraRoutes: (api, deps) => {
      const connect = () => world.pools.lists.connect()
      audiences.publicReads(api, deps, (scope) =>
        scope.get(
          '/test/list',
          { config: { caching: { never: 'test' } }, schema: list('list') },
          async () => {
            const client = await connect()
            await released
            client.release()
            return {}
          },
        ),
      )
      audiences.bearer(api, deps, (scope) =>
        scope.get('/test/own', { schema: list('own') }, async () => {
          ;(await connect()).release()
          return {}
        }),
      )
    },
  })
  onTestFinished(async () => release())
  const { token } = await world.user()
  const flood = Array.from({ length: 200 }, () => world.get('/test/list'))
  const { anonymous } = world.app.limits.lists.load
  await vi.waitUntil(() => {
    const refused = Object.values(anonymous.refused).reduce((sum, count) => sum + count, 0)
    return anonymous.running + anonymous.queued + refused === flood.length
  }, generous)
  expect((await world.get('/test/own', { token })).status).toBe(200)
  release()
  const statuses = new Set((await Promise.all(flood)).map(({ status }) => status))
  expect(statuses.difference(new Set([200, 503]))).toEqual(new Set())
})

test.runIf(isWhole)(
  '150 pipelined reads of one connection do not fill the queue for other addresses',
  async () => {
    const env = { TRUST_PROXY: '127.0.0.1' }
    const world = await openWaitingWorld({ reads: andAQueue(20) }, { env })
    const { url, get, app, release, untilHandled, untilQueued, expectNoneLeft } = world
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    onTestFinished(async () => void socket.destroy())
    const headers = 'Host: a\r\nX-App-Source: public\r\nX-Forwarded-For: 192.0.2.1\r\n'
    socket.write(`GET /api/v1/test/record HTTP/1.1\r\n${headers}\r\n`.repeat(150))
    await untilHandled(1)
    await untilQueued('reads', 10)
    // Of the sixteen that a connection may have unanswered; the others wait in it.
    expect(app.limits.reads.load.anonymous.refused).toEqual({ 'one caller fills its share of the queue': 5 })
    const others = ['192.0.2.2', '2001:db8::1'].map((address) =>
      get('/test/record', { headers: { 'x-forwarded-for': address } }),
    )
    await untilQueued('reads', 12)
    release()
    for (const answer of others) expect((await answer).status).toBe(200)
    socket.destroy()
    await vi.waitFor(expectNoneLeft, generous)
  },
)

test('a refusal, an error, an unknown path and a 304 release their slots', async () => {
  const { get, post, as, url, expectNoneLeft } = await openWaitingWorld()
  const { headers } = await get('/communes')
  const known = { 'if-none-match': headers.get('etag') ?? '' }
  expect((await get('/communes', { headers: known })).status).toBe(304)
  expect((await get('/communes', { source: null })).status).toBe(400)
  expect((await get('/communes?page=0')).status).toBe(422)
  expect((await get('/communes/nowhere')).status).toBe(404)
  expect((await get('/communes/%6eowhere')).status).toBe(404)
  expect((await fetch(`${url}/api/v1/communes/${'x'.repeat(300)}`)).status).toBe(404)
  expect((await fetch(`${url}/api/v1/communes/%zz`)).status).toBe(404)
  expect((await (await as('support')).get('/admin/users')).status).toBe(403)
  expect((await post('/test/write', '{')).status).toBe(400)
  expect((await post('/test/write', {})).status).toBe(422)
  expectNoneLeft()
})

test('a request with a slow body releases its slot while it waits, then takes one again', async () => {
  const { url, write, release, untilHandled, untilQueued, expectNoneLeft } = await openWaitingWorld({
    writes: andAQueue(2),
  })
  const { port } = new URL(url)
  const socket = connect(Number(port), '127.0.0.1')
  onTestFinished(async () => void socket.destroy())
  const headers =
    'Host: a\r\nX-App-Source: public\r\nContent-Type: application/json\r\nContent-Length: 12\r\n'
  socket.write(`POST /api/v1/test/write HTTP/1.1\r\n${headers}\r\n{"name":`)
  const other = write()
  await untilHandled(1)
  socket.write('"a"}')
  await untilQueued('writes', 1)
  expect(await write()).toBeError(503, 'unavailable')
  release()
  const [answer] = await once(socket, 'data')
  expect(`${answer}`).toMatch(/^HTTP\/1\.1 200 /)
  expect((await other).status).toBe(200)
  expectNoneLeft()
})

test('a client that disconnects leaves the queue; a running request keeps its slot until it ends', async () => {
  const { url, get, app, release, untilHandled, untilQueued, expectNoneLeft } = await openWaitingWorld({
    reads: andAQueue(2),
  })
  const call = (signal: AbortSignal) =>
    fetch(`${url}/api/v1/test/record`, { headers: { 'x-app-source': 'public' }, signal }).catch(() => 'left')
  const [first, second] = [new AbortController(), new AbortController()]
  const running = call(first.signal)
  await untilHandled(1)
  const queued = call(second.signal)
  await untilQueued('reads', 1)
  second.abort()
  expect(await queued).toBe('left')
  await untilQueued('reads', 0)
  first.abort()
  expect(await running).toBe('left')
  const third = get('/test/record')
  await untilQueued('reads', 1)
  expect(app.limits.reads.load.anonymous.running).toBe(1)
  release()
  expect((await third).status).toBe(200)
  expectNoneLeft()
})

test('clients that disconnect between the start and the reading of their body leave no slot taken', async () => {
  let disconnected = 0
  const { url, app, post } = await openWorld({
    admissionLimits: { reads: oneSlot, lists: oneSlot, writes: andAQueue(8) },
    extraRoutes: (api, deps) => {
      api.addHook('onRequest', (request, _reply, done) => {
        if (request.headers['x-leaves'] === undefined) return done()
        request.raw.socket.destroy()
        request.raw.once('close', () => {
          disconnected++
          setImmediate(done)
        })
      })
      const write = { ...described('write'), body: Type.Object({ name: Type.String() }) }
      audiences.publicWrites(api, deps, (scope) =>
        scope.post('/test/write', { schema: write }, async () => ({})),
      )
    },
  })
  const headers = { 'x-app-source': 'public', 'content-type': 'application/json', 'x-leaves': 'yes' }
  for (let count = 1; count <= 3; count++) {
    const sent = fetch(`${url}/api/v1/test/write`, { method: 'POST', headers, body: '{"name":"a"}' })
    await expect(sent).rejects.toThrow('fetch failed')
    await vi.waitUntil(() => disconnected === count, generous)
  }
  expect((await post('/test/write', { name: 'a' })).status).toBe(200)
  await vi.waitUntil(() => app.limits.writes.load.anonymous.running === 0, generous)
})
