import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { purgeEdge } from './purge.ts'

const generous = { timeout: 10_000, interval: 5 }
const fast = { gatherMs: 5, againMs: 40, retryMs: 5, maxRetryMs: 20 }

async function open({
  answer = (): number => 200,
  times = fast as object,
  token = null as string | null,
} = {}) {
  const received: { method: string | undefined; tags: string[]; token: unknown; at: number }[] = []
  const lines: string[] = []
  const server = createServer((request, response) => {
    const tags = `${request.headers['surrogate-key']}`.split(' ')
    received.push({
      method: request.method,
      tags,
      token: request.headers['fastly-key'],
      at: performance.now(),
    })
    response.writeHead(answer()).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => server.closeAllConnections())
  onTestFinished(() => void server.close())
  const purgeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/purge`
  const say = (_what: unknown, line?: string) => lines.push(line ?? `${_what}`)
  const purges = purgeEdge(
    { purgeUrl, purgeMethod: 'PURGE', purgeToken: token },
    { warn: say, info: say } as unknown as Parameters<typeof purgeEdge>[1],
    times,
  )
  onTestFinished(() => purges.close())
  purges.show(['publications', 'communes'])
  return { purges, received, lines }
}

test('tags of a moment are sent in one purge, and once more later', async () => {
  const { purges, received } = await open({ token: 'secret' })
  for (const tag of ['publications', 'publications:1', 'publications*', 'publications', 'users'])
    purges.notified(tag)
  await vi.waitFor(() => expect(received).toHaveLength(2), generous)
  const tags = ['publications', 'publications:1', 'publications:many']
  expect(received).toMatchObject([
    { method: 'PURGE', tags, token: 'secret' },
    { method: 'PURGE', tags, token: 'secret' },
  ])
  // The first and the second round both pass without a third purge.
  purges.notified('communes')
  await vi.waitFor(() => expect(received).toHaveLength(4), generous)
  expect(received.slice(2).map(({ tags }) => tags)).toEqual([['communes'], ['communes']])
})

test('a change that is heard between both purges is purged twice as well', async () => {
  const { purges, received } = await open()
  purges.notified('communes')
  await vi.waitFor(() => expect(received).toHaveLength(1), generous)
  purges.notified('communes')
  await vi.waitFor(() => expect(received.length).toBeGreaterThanOrEqual(3), generous)
  expect((received.at(-1)?.at ?? 0) - (received[1]?.at ?? 0)).toBeGreaterThan(30)
})

test('an address that is down gets everything later, in bounded memory, and is logged once', async () => {
  let status = 500
  const { purges, received, lines } = await open({ answer: () => status })
  for (let row = 0; row < 5_000; row++) purges.notified(`publications:${row}`)
  await vi.waitFor(() => expect(purges.failed).toBeGreaterThan(3), generous)
  expect(purges.waitingMs).toBeGreaterThan(0)
  expect(received[0]?.tags).toEqual(['parvis'])
  expect(lines).toEqual(['CDN_PURGE_URL does not accept purges: the edge may show older content'])
  status = 200
  await vi.waitFor(() => expect(purges.sent).toBe(2), generous)
  expect(lines.slice(1)).toEqual(['CDN_PURGE_URL accepts purges again'])
  expect(purges.waitingMs).toBe(0)
})

test('many tags are divided among requests', async () => {
  const { purges, received } = await open({ times: { ...fast, againMs: 60_000 } })
  for (let row = 0; row < 300; row++) purges.notified(`publications:${row}`)
  await vi.waitFor(() => expect(received.flatMap(({ tags }) => tags)).toHaveLength(300), generous)
  expect(received.map(({ tags }) => tags.length)).toEqual([128, 128, 44])
})

test('after changes may have been missed, everything is purged; not at the start', async () => {
  const { purges, received } = await open()
  purges.listening()
  purges.notified('communes')
  await vi.waitFor(() => expect(received).toHaveLength(2), generous)
  purges.lost()
  purges.listening()
  await vi.waitFor(() => expect(received).toHaveLength(4), generous)
  expect(received.map(({ tags }) => tags)).toEqual([['communes'], ['communes'], ['parvis'], ['parvis']])
})

test('what waits is sent before it stops', async () => {
  const { purges, received } = await open({ times: { gatherMs: 60_000, againMs: 60_000 } })
  purges.notified('communes')
  await purges.close()
  expect(received.map(({ tags }) => tags)).toEqual([['communes']])
})
