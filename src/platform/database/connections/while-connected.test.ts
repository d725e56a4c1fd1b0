import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { StartError } from '../../config/start-error.ts'
import { whileConnected } from './while-connected.ts'

/** A fake server that ends each connection in the given way. */
async function connectTo(end: (socket: Socket) => void): Promise<unknown> {
  const server = createServer(end)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'x', password: 'y' })
  return whileConnected(client, async () => {
    await client.connect()
  }).catch((error) => error)
}

const scram = Buffer.from('520000001a0000000a534352414d2d5348412d3235360000', 'hex')

test.each<[string, (socket: Socket) => void]>([
  ['at once', (socket) => void socket.end()],
  ['with a reset', (socket) => void socket.resetAndDestroy()],
  ['once it has begun', (socket) => void socket.once('data', () => socket.end())],
  ['while it asks for the password', (socket) => void socket.once('data', () => socket.end(scram))],
])('a database that goes away %s is told in one sentence', async (_when, end) => {
  const error = await connectTo(end)
  expect(error).toBeInstanceOf(StartError)
  expect((error as Error).message).toMatch(
    /^The database became unavailable during the start \([^\n]+\): start again\.$/,
  )
})

test('passes a programming error on unchanged', async () => {
  const client = new pg.Client()
  const work = whileConnected(client, async () => {
    throw new TypeError('a mistake')
  })
  await expect(work).rejects.toThrow(new TypeError('a mistake'))
})
