import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import * as audiences from '../audiences.ts'

const release = Promise.withResolvers<void>()
const started: { name: string; bytesRead: number }[] = []
const world = await openWorld({
  extraRoutes: (api) =>
    audiences.open(api, (scope) => {
      scope.get<{ Querystring: { name: string } }>('/test/turn', async ({ query: { name }, raw }) => {
        started.push({ name, bytesRead: raw.socket.bytesRead })
        if (name.startsWith('held')) await release.promise
        return { data: name }
      })
    }),
})
/** So that few requests do not fit into what is read at once. */
const padding = `X-Padding: ${'x'.repeat(200)}\r\n`
const requestOf = (name: string) => `GET /api/v1/test/turn?name=${name} HTTP/1.1\r\nHost: a\r\n${padding}\r\n`

async function open() {
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
  onTestFinished(async () => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

test('requests that a connection sends at once do not start before those of others', async () => {
  const [many, other] = [await open(), await open()]
  const names = Array.from({ length: 600 }, (_, at) => `${at}`)
  many.write(names.map(requestOf).join(''))
  other.write(requestOf('other'))
  await once(other, 'data')
  expect(started.findIndex(({ name }) => name === 'other')).toBeLessThan(100)
  // All are answered, in their order.
  let text = ''
  for await (const chunk of many) {
    text += chunk
    if (text.endsWith(`{"data":"${names.at(-1)}"}`)) break
  }
  expect([...text.matchAll(/\{"data":"(\d+)"\}/g)].map(([, name]) => name)).toEqual(names)
  // The server reads no further while requests wait.
  expect(started.find(({ name }) => name === '100')?.bytesRead).toBeLessThan(70_000)
})

test('while sixteen requests of a connection are unanswered no other starts, and all are answered at last', async () => {
  const socket = await open()
  const names = Array.from({ length: 100 }, (_, at) => `held-${at}`)
  const isHeld = ({ name }: { name: string }) => name.startsWith('held')
  socket.write(names.map(requestOf).join(''))
  const other = await open()
  other.write(requestOf('meanwhile'))
  await once(other, 'data')
  expect(started.filter(isHeld)).toHaveLength(16)
  release.resolve()
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    if (text.endsWith(`{"data":"${names.at(-1)}"}`)) break
  }
  expect(started.filter(isHeld).map(({ name }) => name)).toEqual(names)
})

test('a connection that closes while its requests wait is forgotten', async () => {
  const socket = await open()
  socket.write(requestOf('gone').repeat(1_000))
  await once(socket, 'data')
  socket.destroy()
  const next = await open()
  next.write(requestOf('next'))
  await once(next, 'data')
  expect(started.at(-1)?.name).toBe('next')
})
