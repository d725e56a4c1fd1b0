import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect, type Server, Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { createLog } from '../../log/log.ts'
import { generous, openSlowWorld } from '../slow-world.test-kit.ts'

/** Opens connections that send nothing, from an address of this machine. */
function idleConnections(url: string, localAddress: string, count: number) {
  const { port } = new URL(url)
  const sockets = Array.from({ length: count }, () =>
    connect({ host: '127.0.0.1', port: Number(port), localAddress }),
  )
  const closed = new Set<Socket>()
  for (const socket of sockets) {
    socket.on('error', () => {}).on('close', () => closed.add(socket))
    onTestFinished(async () => void socket.destroy())
  }
  return { sockets, closed }
}

test('limits the connections per address; other addresses connect, and so does this one after closing some', async () => {
  const { url } = await openWorld({ env: { MAX_CONNECTIONS_PER_ADDRESS: '20' } })
  const { sockets, closed } = idleConnections(url, '127.0.0.2', 50)
  await vi.waitUntil(() => closed.size === 30, generous)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  const open = sockets.filter((socket) => !closed.has(socket))
  for (const socket of open.slice(0, 5)) socket.destroy()
  await vi.waitFor(async () => expect(await healthFrom(url, '127.0.0.2')).toBe(200), generous)
})

const healthFrom = (url: string, localAddress: string) => statusOf(`${url}/healthz`, localAddress)

async function statusOf(url: string, localAddress: string, headers = {}): Promise<number | undefined> {
  const [response] = await once(get(url, { localAddress, headers, agent: false }), 'response')
  response.resume()
  return response.statusCode
}

test.each([
  ['a trusted proxy', { MAX_CONNECTIONS_PER_ADDRESS: '20', TRUST_PROXY: '127.0.0.2' }],
  ['any address while it is off', { MAX_CONNECTIONS_PER_ADDRESS: 'off' }],
])('%s has no connection limit', async (_whose, env) => {
  const { url, app } = await openWorld({ env })
  const { closed } = idleConnections(url, '127.0.0.2', 50)
  await vi.waitUntil(async () => (await connectionsOf(app.server.server)) >= 50, generous)
  expect(closed.size).toBe(0)
})

test('limits the connections per /48 to four times those of an address', async () => {
  const { app, url } = await openWorld({ env: { MAX_CONNECTIONS_PER_ADDRESS: '2' } })
  const { server } = app.server
  const arrive = (remoteAddress: string) => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })
    onTestFinished(async () => void socket.destroy())
    server.emit('connection', socket)
    return socket
  }
  const lines = Array.from({ length: 5 }, (_, line) => `2001:db8:1:${line}::1`)
  const sockets = [...lines, ...lines].map(arrive)
  expect(sockets.filter(({ destroyed }) => destroyed)).toHaveLength(2)
  expect(arrive('2001:db8:2::1').destroyed).toBe(false)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

test('when the connections are full, a new one replaces the one that has waited longest', async () => {
  const lines: string[] = []
  const log = createLog('warn', { write: (line: string) => void lines.push(JSON.parse(line).msg) })
  const { url, app, entered, release } = await openSlowWorld({ maxConnections: 8, log })
  const { port } = new URL(url)
  const served = connect(Number(port), '127.0.0.1')
  onTestFinished(async () => void served.destroy())
  served.write('GET /api/v1/test/waiting HTTP/1.1\r\nHost: a\r\nX-App-Source: public\r\n\r\n')
  await entered
  const { sockets, closed } = idleConnections(url, '127.0.0.2', 1)
  await vi.waitUntil(async () => (await connectionsOf(app.server.server)) === 2, generous)
  const { closed: others } = idleConnections(url, '127.0.0.3', 4)
  await vi.waitUntil(async () => (await connectionsOf(app.server.server)) === 6, generous)
  expect([closed.size, others.size]).toEqual([0, 0])
  for (let turn = 1; turn <= 3; turn++) {
    expect(await healthFrom(url, '127.0.0.4')).toBe(200)
    // The response may arrive before the end of the replaced connection.
    await vi.waitUntil(() => closed.size === sockets.length, generous)
    expect(others.size).toBe(0)
  }
  release()
  const [answer] = await once(served, 'data')
  expect(`${answer}`).toMatch(/^HTTP\/1\.1 200 /)
  expect(lines).toEqual(['too many connections: those that wait longest are closed'])
})

test('a connection whose request body does not arrive is replaced as well', async () => {
  const { url, app } = await openWorld({ maxConnections: 2 })
  const slow = connect(Number(new URL(url).port), '127.0.0.1')
  onTestFinished(async () => void slow.destroy())
  slow.on('error', () => {})
  const head = 'Host: a\r\nX-App-Source: public\r\nContent-Type: application/json\r\nContent-Length: 9\r\n'
  slow.write(`POST /api/v1/auth/email HTTP/1.1\r\n${head}\r\n{`)
  await vi.waitUntil(() => app.bodies.bytes === 1, generous)
  expect(await healthFrom(url, '127.0.0.2')).toBe(200)
  await vi.waitUntil(() => slow.destroyed, generous)
})

test('a quarter of the connections is left to addresses from which signed-in requests came', async () => {
  const { url, app, user } = await openWorld({ maxConnections: 8 })
  const { token } = await user()
  const strangers = idleConnections(url, '127.0.0.2', 6)
  await vi.waitUntil(async () => (await connectionsOf(app.server.server)) === 6, generous)
  expect(await statusOf(`${url}/api/v1/me`, '127.0.0.3', { authorization: `Bearer ${token}` })).toBe(200)
  // The first request came as a stranger's, and replaced one.
  await vi.waitUntil(() => strangers.closed.size === 1, generous)
  const known = idleConnections(url, '127.0.0.3', 2)
  await vi.waitUntil(async () => (await connectionsOf(app.server.server)) === 7, generous)
  const more = idleConnections(url, '127.0.0.4', 20)
  await vi.waitUntil(() => strangers.closed.size + more.closed.size === 20, generous)
  expect(known.closed.size).toBe(0)
  expect(await statusOf(`${url}/healthz`, '127.0.0.3')).toBe(200)
  expect(known.closed.size).toBe(0)
})

test('responses ask clients to keep idle connections for ten seconds while more than half are in use', async () => {
  const { url, app } = await openWorld({ maxConnections: 8 })
  const keepAlive = async () => {
    const [response] = await once(
      get(`${url}/healthz`, { agent: new Agent({ keepAlive: true }) }),
      'response',
    )
    response.resume()
    response.socket.destroy()
    return response.headers['keep-alive']
  }
  expect(await keepAlive()).toBe('timeout=65')
  const { sockets } = idleConnections(url, '127.0.0.2', 5)
  await vi.waitUntil(async () => (await connectionsOf(app.server.server)) === 5, generous)
  expect(await keepAlive()).toBe('timeout=10')
  for (const socket of sockets) socket.destroy()
  await vi.waitFor(async () => expect(await keepAlive()).toBe('timeout=65'), generous)
})

const connectionsOf = async (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
