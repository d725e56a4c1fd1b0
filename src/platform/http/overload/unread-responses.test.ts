// Round: rest, because it waits for clients that read nothing.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import Type from 'typebox'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { createLog } from '../../log/log.ts'
import * as audiences from '../audiences.ts'
import type { UnreadLimits } from './unread-responses.ts'

const size = 8_000_000
const schema = {
  operationId: 'large',
  summary: 'large',
  tags: ['communes'],
  response: { 200: Type.Unknown() },
}
// Generous timeout for steps that are immediate on a quiet machine.
const generous = { timeout: 30_000 }

/** A world with a route of eight megabytes, and clients that never read their responses. */
async function openLargeWorld(unreadLimits: Partial<UnreadLimits>) {
  const lines: string[] = []
  const prepared = Promise.withResolvers<void>()
  onTestFinished(() => prepared.resolve())
  const world = await openWorld({
    log: createLog('warn', { write: (line: string) => void lines.push(JSON.parse(line).msg) }),
    unreadLimits,
    extraRoutes: (api, deps) =>
      audiences.publicReads(api, deps, (scope) => {
        scope.get('/test/large', { config: { caching: { never: 'test' } }, schema }, async () => ({
          data: 'x'.repeat(size),
        }))
        scope.get(
          '/test/prepared',
          { config: { caching: { never: 'test' } }, schema: { ...schema, operationId: 'prepared' } },
          async () => prepared.promise.then(() => ({ data: 'prepared' })),
        )
        scope.get(
          '/test/parts',
          { config: { caching: { never: 'test' } }, schema: { ...schema, operationId: 'parts' } },
          async (_request, reply) => reply.send(Readable.from(parts(prepared.promise))),
        )
      }),
  })
  const { server } = world.app.server
  let closed = 0
  server.on('connection', (socket: Socket) => {
    socket.once('close', () => closed++)
  })
  const { port } = new URL(world.url)
  const requestOf = (name: string) =>
    `GET /api/v1/test/${name} HTTP/1.1\r\nHost: a\r\nX-App-Source: public\r\n\r\n`
  const request = requestOf('large')
  async function open() {
    const socket = connect(Number(port), '127.0.0.1').pause()
    onTestFinished(async () => void socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  return {
    ...world,
    server,
    lines,
    closed: () => closed,
    prepare: prepared.resolve,
    async neverRead(requests = 1) {
      const socket = await open()
      socket.write(request.repeat(requests))
    },
    /** Sends requests for these names on one connection. */
    async send(...names: string[]) {
      const socket = await open()
      socket.write(names.map(requestOf).join(''))
      return socket
    },
  }
}

async function* parts(end: Promise<void>) {
  yield '{'
  await end
  yield '}'
}
const untilTheNetworkTakesNoMore = async () => new Promise((resolve) => setTimeout(resolve, 500))

test('disconnects a client that reads nothing and frees its memory', async () => {
  const { app, closed, neverRead, get } = await openLargeWorld({ stalledMs: 500 })
  for (let client = 0; client < 10; client++) await neverRead()
  await neverRead(3)
  await vi.waitUntil(() => closed() === 11, generous)
  expect(app.unread.bytes).toBe(0)
  expect((await get('/test/large')).text).toHaveLength(size + 11)
})

test('ends a response once ten checks have seen no byte taken, and not while its client takes some', async () => {
  // Checks are made by the test alone.
  const { app, closed, send } = await openLargeWorld({ stalledMs: 3_600_000 })
  await send('large')
  const reader = await send('large')
  await vi.waitUntil(() => app.unread.bytes === 2 * (size + 11), generous)
  // The first check sees what the network has taken by itself.
  await untilTheNetworkTakesNoMore()
  app.unread.check()
  let received = 0
  for (let check = 1; check <= 9; check++) app.unread.check()
  expect(closed()).toBe(0)
  reader
    .on('data', (chunk) => {
      received += chunk.length
    })
    .resume()
  await vi.waitUntil(() => received > size, generous)
  app.unread.check()
  await vi.waitUntil(() => closed() === 1, generous)
  expect(app.unread.bytes).toBe(0)
  expect(reader.readableEnded).toBe(false)
})

test('a response that the service prepares, itself or one before it, is not taken for one that nobody reads', async () => {
  const { app, closed, prepare, send } = await openLargeWorld({ stalledMs: 3_600_000 })
  const texts: string[] = ['', '']
  const clients = [await send('prepared', 'large'), await send('parts')]
  for (const [at, client] of clients.entries())
    client
      .on('data', (chunk) => {
        texts[at] = `${texts[at]}${chunk}`
      })
      .resume()
  await vi.waitUntil(() => app.unread.bytes === size + 11 && texts[1]?.includes('{'), generous)
  for (let check = 1; check <= 30; check++) app.unread.check()
  prepare()
  await vi.waitUntil(() => texts[0]?.endsWith('x"}') && texts[1]?.includes('}'), generous)
  expect(closed()).toBe(0)
})

test('responses that were read, refused or unchanged use none of the limit', async () => {
  const { app, get } = await openLargeWorld({})
  const { headers } = await get('/test/large')
  await get('/test/large', { headers: { 'if-none-match': headers.get('etag') ?? '' } })
  await get('/communes?page=0')
  await vi.waitUntil(() => app.unread.bytes === 0, generous)
})

test('when unread responses together are too large, the oldest are aborted', async () => {
  const maxBytes = 3 * size + 1_000
  const { app, lines, closed, neverRead, get } = await openLargeWorld({ maxBytes })
  for (let client = 1; client <= 3; client++) {
    await neverRead()
    await vi.waitUntil(() => app.unread.bytes > client * size, generous)
  }
  expect(closed()).toBe(0)
  await neverRead()
  await vi.waitUntil(() => closed() === 1, generous)
  // Several on one connection count separately.
  await neverRead(2)
  await vi.waitUntil(() => closed() === 3, generous)
  expect(app.unread.bytes).toBeLessThan(maxBytes)
  expect(lines).toEqual(['answers that clients do not read are too large together: cut'])
  // A reading client is served meanwhile.
  expect((await get('/test/large')).text).toHaveLength(size + 11)
})

test.runIf(process.env.PARVIS_TEST_LONG)(
  '300 clients that never read do not exhaust the memory',
  async () => {
    const { app, closed, neverRead } = await openLargeWorld({})
    const before = process.memoryUsage().rss
    for (let client = 0; client < 300; client++) await neverRead()
    await vi.waitUntil(() => app.unread.bytes > 100e6, generous)
    expect(process.memoryUsage().rss - before).toBeLessThan(600e6)
    await vi.waitUntil(() => closed() === 300, { timeout: 60_000 })
  },
)
