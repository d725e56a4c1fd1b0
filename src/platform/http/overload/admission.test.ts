import { once } from 'node:events'
import { connect } from 'node:net'
import Type from 'typebox'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { createLog } from '../../log/log.ts'
import * as audiences from '../audiences.ts'
import { pagingQuery } from '../paging.ts'
import type { AdmissionLimits } from './admission.ts'

const described = (operationId: string) => ({
  operationId,
  summary: operationId,
  tags: ['communes'],
  response: { 200: Type.Unknown() },
})
// For what comes at once where nothing else runs.
const patience = { timeout: 30_000 }
const one = { inside: 1, waiting: 0 }
const oneMoreWaits = { waiting: 1, maxWaitMs: 600_000 }
const oneOfEach = { publicReads: one, publicLists: one, otherReads: one, otherLists: one, writes: one }

/** A world with a record, a list, a write and a bearer's read that answer once they are released. */
async function openWaitingWorld(limits: Partial<AdmissionLimits> = {}) {
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
    admissionLimits: { ...oneOfEach, ...limits },
    extraRoutes: (api, deps) => {
      audiences.publicReads(api, deps, (scope) => {
        scope.get('/test/record', { schema: described('record') }, handle)
        scope.get('/test/list', { schema: list }, handle)
      })
      audiences.publicWrites(api, deps, (scope) => scope.post('/test/write', { schema: write }, handle))
      audiences.bearer(api, deps, (scope) => scope.get('/test/mine', { schema: described('mine') }, handle))
    },
  })
  onTestFinished(async () => release())
  const { token } = await world.user()
  return {
    ...world,
    gates: world.app.gates,
    lines,
    release,
    handled: () => handled,
    write: () => world.post('/test/write', { name: 'a' }),
    mine: () => world.get('/test/mine', { token }),
    /** Until the handler has one more. */
    async untilHandled(count: number) {
      await vi.waitUntil(() => handled === count, patience)
    },
  }
}

test('more reads than have a place and may wait are refused with 503, Retry-After and one short line', async () => {
  const { get, gates, lines, release, untilHandled } = await openWaitingWorld({
    publicReads: { inside: 2, ...oneMoreWaits },
  })
  const inside = [get('/test/record'), get('/test/record')]
  await untilHandled(2)
  const waiting = get('/test/record')
  await vi.waitUntil(() => gates.publicReads.waiting === 1, patience)
  const refused = await get('/test/record')
  expect(refused).toBeError(503, 'unavailable')
  expect(refused.headers.get('retry-after')).toBe('5')
  const warnings = () => lines.filter(({ level }) => level !== 30)
  await vi.waitUntil(() => warnings().length > 0, patience)
  expect(warnings()).toEqual([
    {
      ...{ level: 40, time: expect.any(Number) },
      ...{ request_id: expect.any(String), method: 'GET', route: '/api/v1/test/record', status: 503 },
      ...{ ms: expect.any(Number), from: '127.0.0.0/24' },
      ...{ error: 'unavailable', reason: 'too many wait for their turn' },
    },
  ])
  release()
  for (const answer of [...inside, waiting]) expect((await answer).status).toBe(200)
  expect(gates.publicReads).toMatchObject({ inside: 0, waiting: 0 })
})

test('public reads, those of who signs in, and writes have places of their own; health needs none', async () => {
  const { get, mine, write, url, release, untilHandled } = await openWaitingWorld()
  const answers = [get('/test/record')]
  await untilHandled(1)
  answers.push(mine())
  await untilHandled(2)
  answers.push(write())
  await untilHandled(3)
  for (const send of [() => get('/test/record'), mine, write])
    expect(await send()).toBeError(503, 'unavailable')
  for (const path of ['/healthz', '/readyz', '/docs/openapi.json'])
    expect((await fetch(`${url}${path}`)).status).toBe(200)
  release()
  for (const answer of answers) expect((await answer).status).toBe(200)
})

test('lists leave places to what is no list', async () => {
  const { get, release, untilHandled } = await openWaitingWorld({ publicReads: { inside: 2, waiting: 0 } })
  const list = get('/test/list')
  await untilHandled(1)
  expect(await get('/test/list')).toBeError(503, 'unavailable')
  expect(await get('/communes')).toBeError(503, 'unavailable')
  const record = get('/test/record')
  await untilHandled(2)
  release()
  for (const answer of [list, record]) expect((await answer).status).toBe(200)
  expect((await get('/communes')).status).toBe(200)
})

test('a refusal, an error and a 304 give their places back', async () => {
  const { get, post, gates, as } = await openWaitingWorld()
  const { headers } = await get('/communes')
  expect((await get('/communes', { headers: { 'if-none-match': headers.get('etag') ?? '' } })).status).toBe(
    304,
  )
  expect((await get('/communes', { source: null })).status).toBe(400)
  expect((await get('/communes?page=0')).status).toBe(422)
  expect((await get('/communes/nowhere')).status).toBe(404)
  expect((await (await as('support')).get('/admin/users')).status).toBe(403)
  expect((await post('/test/write', '{')).status).toBe(400)
  expect((await post('/test/write', {})).status).toBe(422)
  for (const gate of Object.values(gates)) expect(gate).toMatchObject({ inside: 0, waiting: 0 })
})

test('whose body comes slowly has no place meanwhile, and asks for one again', async () => {
  const { url, write, gates, release, untilHandled } = await openWaitingWorld({
    writes: { inside: 1, ...oneMoreWaits },
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
  await vi.waitUntil(() => gates.writes.waiting === 1, patience)
  expect(await write()).toBeError(503, 'unavailable')
  release()
  const [answer] = await once(socket, 'data')
  expect(`${answer}`).toMatch(/^HTTP\/1\.1 200 /)
  expect((await other).status).toBe(200)
  expect(gates.writes).toMatchObject({ inside: 0, waiting: 0 })
})

test('who leaves while waiting leaves the queue; who leaves inside keeps the place until the work is done', async () => {
  const { url, get, gates, release, untilHandled } = await openWaitingWorld({
    publicReads: { inside: 1, ...oneMoreWaits },
  })
  const call = (signal: AbortSignal) =>
    fetch(`${url}/api/v1/test/record`, { headers: { 'x-app-source': 'public' }, signal }).catch(() => 'left')
  const [first, second] = [new AbortController(), new AbortController()]
  const inside = call(first.signal)
  await untilHandled(1)
  const waiting = call(second.signal)
  await vi.waitUntil(() => gates.publicReads.waiting === 1, patience)
  second.abort()
  expect(await waiting).toBe('left')
  await vi.waitUntil(() => gates.publicReads.waiting === 0, patience)
  first.abort()
  expect(await inside).toBe('left')
  const third = get('/test/record')
  await vi.waitUntil(() => gates.publicReads.waiting === 1, patience)
  expect(gates.publicReads.inside).toBe(1)
  release()
  expect((await third).status).toBe(200)
  expect(gates.publicReads).toMatchObject({ inside: 0, waiting: 0 })
})
