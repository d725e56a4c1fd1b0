import { once } from 'node:events'
import { connect } from 'node:net'
import Type from 'typebox'
import { beforeAll, expect, test, vi } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { notFound } from '../../errors.ts'
import { createLog } from '../../log/log.ts'
import * as audiences from '../audiences.ts'

let [handled, seenByFastify] = [0, 0]
let waiting = Promise.withResolvers<void>()
const lines: Record<string, unknown>[] = []
const world = await openWorld({
  keeps: true,
  log: createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) }),
  extraRoutes: (api, deps) =>
    audiences.publicReads(api, deps, (scope) => {
      scope.addHook('onRequest', async () => void seenByFastify++)
      const schema = {
        ...{ operationId: 'readDirect', summary: 'Read', tags: ['communes'] },
        params: Type.Object({ id: Type.String({ pattern: '^[a-z]+$' }) }),
        response: { 200: Type.Object({ id: Type.String(), source: Type.String() }) },
      }
      const config = { caching: { shows: ['communes'], direct: true } } as const
      scope.get('/test/direct/:id', { schema, config }, async ({ params, caller }) => {
        handled++
        if (params.id.startsWith('waiting')) await waiting.promise
        if (params.id.endsWith('missing')) throw notFound()
        return { id: params.id, source: caller.source?.code ?? '' }
      })
    }),
})
const { get, url, app, changes, commune, db } = world

async function counted<Response>(call: () => Promise<Response>) {
  const before = [handled, seenByFastify] as const
  const response = await call()
  return { response, handled: handled - before[0], seenByFastify: seenByFastify - before[1] }
}

beforeAll(async () => {
  // The list of applications is read, and the first response gives its headers to the others.
  await get('/communes')
  await changes?.arrived()
  await get('/test/direct/first')
})

test('a read by key bypasses Fastify, and what is repeated is cached', async () => {
  const once = await counted(() => get('/test/direct/other'))
  expect(once).toMatchObject({ handled: 1, seenByFastify: 0 })
  expect(once.response.body).toEqual({ id: 'other', source: 'public' })
  const again = await counted(() => get('/test/direct/other'))
  expect(again).toMatchObject({ handled: 0, seenByFastify: 0 })
  const etag = once.response.headers.get('etag') ?? ''
  expect((await get('/test/direct/unread', { headers: { 'if-none-match': etag } })).status).toBe(200)
  expect((await get('/test/direct/other', { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('Fastify responds to what is refused, and the handler runs once', async () => {
  const missing = await counted(() => get('/test/direct/missing'))
  expect(missing).toMatchObject({ handled: 1, seenByFastify: 1 })
  expect(missing.response).toBeError(404, 'not_found')
  const malformed = await counted(() => get('/test/direct/1'))
  expect(malformed).toMatchObject({ handled: 0, seenByFastify: 1 })
  expect(malformed.response).toBeError(404, 'not_found')
})

test('Fastify responds to applications with a restriction, to HEAD, and without an application', async () => {
  const { id } = await commune()
  await db
    .insertInto('app_sources')
    .values({ code: 'direct', label: 'direct', commune_ids: [id] })
    .execute()
  await vi.waitFor(async () => {
    const { response, seenByFastify } = await counted(() => get('/test/direct/bounded', { source: 'direct' }))
    expect([response.body.source, seenByFastify]).toEqual(['direct', 1])
  })
  const head = () =>
    fetch(`${url}/api/v1/test/direct/head`, { method: 'HEAD', headers: { 'x-app-source': 'public' } })
  expect(await counted(head)).toMatchObject({ handled: 1, seenByFastify: 1 })
  expect(await counted(() => get('/test/direct/nobody', { source: null }))).toMatchObject({ handled: 0 })
})

test.each([
  ['found', 'waiting'],
  ['refused', 'waitingmissing'],
])('a read whose client has left keeps its slot until it ends, %s', async (_what, id) => {
  waiting = Promise.withResolvers()
  const before = handled
  const running = () => {
    const { anonymous, late } = app.limits.reads.load
    return anonymous.running + late.running
  }
  const connected = once(app.server.server, 'connection')
  const client = connect(Number(new URL(url).port), '127.0.0.1')
  client.write(`GET /api/v1/test/direct/${id} HTTP/1.1\r\nHost: a\r\nX-App-Source: public\r\n\r\n`)
  const [connection] = await connected
  await vi.waitUntil(() => handled > before)
  client.destroy()
  await once(connection, 'close')
  expect(running()).toBe(1)
  waiting.resolve()
  await vi.waitUntil(() => running() === 0)
  if (id === 'waiting')
    await vi.waitUntil(() =>
      lines.some(({ route, aborted }) => route === '/api/v1/test/direct/:id' && aborted === true),
    )
})

test('no slot stays taken', async () => {
  await Promise.all(
    ['a', 'b', 'c', 'missing', '1', 'd', 'e', 'f', 'g', 'h', 'i'].map((id) => get(`/test/direct/${id}`)),
  )
  await vi.waitFor(() => {
    const { anonymous, late } = app.limits.reads.load
    expect([anonymous.running, anonymous.queued, late.running, late.queued]).toEqual([0, 0, 0, 0])
  })
})
