import { expect, test } from 'vitest'
import { createGuardedPost } from './guarded-post.ts'
import { cert, serve, serveRaw } from './local-servers.test-kit.ts'

const post = createGuardedPost({ allowPrivate: true, ca: cert, connectMs: 2_000, timeoutMs: 4_000 })
const request = { headers: { TTL: '60' }, body: Buffer.from([1, 2, 3]) }

test('posts over connections that stay open, and returns the status and Retry-After', async () => {
  const bodies: Buffer[] = []
  const { url, connections } = await serve((asked, response) => {
    asked.on('data', (part: Buffer) => bodies.push(part))
    asked.on('end', () => response.writeHead(429, { 'Retry-After': '7' }).end('x'.repeat(1_000)))
  }, true)
  for (let at = 0; at < 10; at++)
    expect(await post(`${url}/a?b=c`, request)).toEqual({ kind: 'answered', status: 429, retryAfter: '7' })
  expect(bodies).toEqual(Array(10).fill(request.body))
  expect(connections()).toBeLessThanOrEqual(2)
})

test('follows no redirect', async () => {
  const { url, hits } = await serve((_asked, response) => {
    response.writeHead(307, { Location: '/elsewhere' }).end()
  }, true)
  expect(await post(url, request)).toMatchObject({ kind: 'answered', status: 307 })
  expect(hits()).toBe(1)
})

test('refuses private addresses, whatever the name', async () => {
  const guarded = createGuardedPost({ allowPrivate: false, ca: cert })
  const { port, hits } = await serve((_asked, response) => void response.end(), true)
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]'])
    expect(await guarded(`https://${host}:${port}/`, request)).toMatchObject({
      kind: 'unsent',
      error: { reason: 'private_address' },
    })
  expect(hits()).toBe(0)
})

test.each(['http://127.0.0.1/', 'https://a:b@127.0.0.1/', 'ftp://127.0.0.1/', 'nothing'])(
  'refuses the address %s',
  async (address) => {
    expect(await post(address, request)).toMatchObject({ kind: 'unsent', error: { reason: 'bad_url' } })
  },
)

test('says that nothing was sent when there is no connection, and that it may have arrived after a cut', async () => {
  const { port, server } = await serve(() => {}, true)
  await new Promise((resolve) => server.close(resolve))
  expect(await post(`https://127.0.0.1:${port}/`, request)).toMatchObject({
    kind: 'unsent',
    error: { reason: 'connection' },
  })
  const raw = await serveRaw((socket) => void socket.destroy())
  expect(await post(`https://127.0.0.1:${raw.port}/`, request)).toMatchObject({ kind: 'unsent' })
  const cut = await serve((asked) => void asked.socket.destroy(), true)
  expect(await post(cut.url, request)).toMatchObject({ kind: 'unanswered', error: { reason: 'connection' } })
})

test('gives up a server that accepts connections and says nothing', async () => {
  const quick = createGuardedPost({ allowPrivate: true, ca: cert, connectMs: 100, timeoutMs: 5_000 })
  const raw = await serveRaw(() => {})
  expect(await quick(`https://127.0.0.1:${raw.port}/`, request)).toMatchObject({
    kind: 'unsent',
    error: { reason: 'timeout' },
  })
  const slow = createGuardedPost({ allowPrivate: true, ca: cert, timeoutMs: 300 })
  const silent = await serve(() => {}, true)
  expect(await slow(silent.url, request)).toMatchObject({ kind: 'unanswered', error: { reason: 'timeout' } })
})
