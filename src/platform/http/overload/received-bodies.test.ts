import { once } from 'node:events'
import { connect } from 'node:net'
import Type from 'typebox'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import { createLog } from '../../log/log.ts'
import * as audiences from '../audiences.ts'

const generous = { timeout: 30_000 }
const schema = {
  ...{ operationId: 'echo', summary: 'echo', tags: ['communes'] },
  ...{ body: Type.Object({ text: Type.String() }), response: { 200: Type.Unknown() } },
}

/** A world that limits all bodies together to a million bytes, and clients that never complete theirs. */
async function openBodyWorld() {
  const lines: Record<string, unknown>[] = []
  const world = await openWorld({
    log: createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) }),
    bodyLimits: { totalBytes: 1_000_000 },
    extraRoutes: (api, deps) => {
      const echo = async ({ body }: { body: { text: string } }) => ({ length: body.text.length })
      audiences.publicWrites(api, deps, (scope) => scope.post('/test/public', { schema }, echo))
      audiences.bearer(api, deps, (scope) =>
        scope.post('/test/own', { schema, config: { needs: 'own.change' } }, echo),
      )
    },
  })
  const { token } = await world.user()
  return {
    ...world,
    lines,
    own: (length: number) => world.post('/test/own', { text: 'x'.repeat(length) }, { token }),
    stopAfter(bytes: number) {
      const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
      onTestFinished(async () => void socket.destroy())
      const head = `Host: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n`
      socket.on('error', () => {})
      socket.write(`POST /api/v1/test/own HTTP/1.1\r\n${head}\r\n{"text":"${'x'.repeat(bytes)}`)
      return socket
    },
  }
}

test('when bodies together are too large, the oldest incomplete ones are refused and a normal one is accepted', async () => {
  const { app, lines, own, stopAfter } = await openBodyWorld()
  const sockets = []
  for (let client = 1; client <= 4; client++) {
    sockets.push(stopAfter(200_000))
    await vi.waitUntil(() => app.bodies.bytes > client * 200_000, generous)
  }
  const [first] = sockets
  const refusal = first && once(first, 'data')
  expect((await own(400_000)).body).toEqual({ length: 400_000 })
  const [answer] = (await refusal) ?? []
  expect(`${answer}`).toMatch(/^HTTP\/1\.1 503 .*"error":"unavailable"/s)
  expect(`${answer}`).toMatch(/retry-after: \d/i)
  await vi.waitFor(() => {
    const reasons = lines.filter(({ status }) => status === 503).map(({ reason }) => reason)
    expect(reasons[0]).toBe('the bodies that are being received are too large together')
  }, generous)
  for (const socket of sockets) socket.destroy()
  await vi.waitUntil(() => app.bodies.bytes === 0, generous)
})

test('a public route accepts only smaller bodies', async () => {
  const { post, own } = await openBodyWorld()
  expect((await post('/test/public', { text: 'x'.repeat(200_000) })).status).toBe(200)
  expect(await post('/test/public', { text: 'x'.repeat(300_000) })).toBeError(413, 'payload_too_large')
  expect((await own(300_000)).status).toBe(200)
})

test('a sign-in route accepts at most 16 kB', async () => {
  const { post } = await openBodyWorld()
  const sent = (path: string, length: number) => post(path, { email: 'x'.repeat(length) })
  for (const path of ['/auth/email', '/auth/email/verify', '/auth/second-factor', '/auth/passkey/verify']) {
    expect(await sent(path, 17_000)).toBeError(413, 'payload_too_large')
    expect((await sent(path, 15_000)).status).not.toBe(413)
  }
})
