import { once } from 'node:events'
import { get } from 'node:http'
import { connect, type Server, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'

const generous = { timeout: 30_000 }

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

async function healthFrom(url: string, localAddress: string): Promise<number | undefined> {
  const [response] = await once(get(`${url}/healthz`, { localAddress, agent: false }), 'response')
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

const connectionsOf = async (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
