import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openWorld } from '../../../../test/support/world.ts'
import * as audiences from '../audiences.ts'

let { promise: released, resolve: release } = Promise.withResolvers<void>()
const world = await openWorld({
  extraRoutes: (api) =>
    audiences.open(api, (scope) => {
      scope.get<{ Querystring: { name: string } }>('/test/held', async ({ query: { name } }) => {
        await released
        return { data: name }
      })
      scope.post('/test/sent', async ({ body }) => ({ data: body }))
    }),
})
const { server } = world.app.server
const requestOf = (name: string) => `GET /api/v1/test/held?name=${name} HTTP/1.1\r\nHost: a\r\n\r\n`
const body = '{"name":"body"}'
const posted = `POST /api/v1/test/sent HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

/** Sends as many requests as run at once, one that waits, and a part of another, whose time then ends. */
async function sendUntilItsTimeEnds(last: string) {
  ;({ promise: released, resolve: release } = Promise.withResolvers<void>())
  server.headersTimeout = 1
  server.requestTimeout = 1
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
  onTestFinished(async () => void socket.destroy())
  await once(socket, 'connect')
  const answer = {
    text: '',
    statuses: () => [...answer.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, s]) => s),
  }
  socket.on('data', (chunk) => (answer.text += chunk))
  const timedOut = once(server, 'clientError')
  socket.write(Array.from({ length: 17 }, (_, at) => requestOf(`${at}`)).join('') + last)
  const [error] = await timedOut
  expect(error.code).toBe('ERR_HTTP_REQUEST_TIMEOUT')
  return { socket, answer }
}

async function answerEnds(socket: Socket, answer: { text: string }, end: string) {
  while (!answer.text.endsWith(end)) await once(socket, 'data')
}

test.each([
  ['head', requestOf('last'), 40, '"last"}'],
  ['body', posted, posted.length - 3, '"body"}}'],
])(
  'a request is answered whose %s could not arrive while the service paused reading',
  async (_part, last, sent, end) => {
    const { socket, answer } = await sendUntilItsTimeEnds(last.slice(0, sent))
    // So that the rest may take as long as a busy machine needs.
    server.requestTimeout = 600_000
    release()
    socket.write(last.slice(sent))
    await Promise.race([answerEnds(socket, answer, end), once(socket, 'close')])
    expect(answer.statuses()).toEqual(Array(18).fill('200'))
  },
)

test('a request whose rest does not arrive once reading goes on gets 400', async () => {
  const { socket, answer } = await sendUntilItsTimeEnds(requestOf('last').slice(0, 40))
  release()
  await once(socket, 'end')
  expect(answer.statuses()).toEqual([...Array(17).fill('200'), '400'])
})

test('a request that arrives too slowly without any pause gets 400', async () => {
  server.headersTimeout = 1
  const socket = connect(Number(new URL(world.url).port), '127.0.0.1')
  onTestFinished(async () => void socket.destroy())
  socket.write('GET / HTTP/1.1\r\n')
  const [answer] = await once(socket, 'data')
  expect(`${answer}`).toMatch(/^HTTP\/1\.1 400 /)
})
