import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { connectPatiently } from './start-connection.ts'

/** Starts a fake server, which gets each connection once its client has sent the first bytes. */
async function listen(serve: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => serve(socket))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { server, config: { host: '127.0.0.1', port, user: 'x', password: 'y' } }
}

function message(type: string, body: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), size, body])
}
const refusal = (code: string, text: string) =>
  message('E', Buffer.from(['SFATAL', `C${code}`, `M${text}`, '', ''].join('\0')))
const starting = refusal('57P03', 'the database system is starting up')
const accepted = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))])

/** Skips the pauses between attempts; those during an attempt last until it has an outcome. */
function pausesBetween(onPause: () => void = () => {}) {
  let pauses = 0
  return async () => {
    if (++pauses % 2 === 1) await new Promise(() => {})
    onPause()
  }
}

test('waits for a server that says for ten minutes that it is starting up', async () => {
  let refusals = 0
  const { config } = await listen((socket) => {
    if (refusals === 600) return void socket.write(accepted)
    refusals++
    socket.end(starting)
  })
  const said: string[] = []
  const say = (line: string) => void said.push(line)
  const client = await connectPatiently(config, { name: 'The library', say, pause: pausesBetween() })
  await client.end()
  expect(refusals).toBe(600)
  expect(said.length).toBe(20)
  expect(new Set(said)).toEqual(
    new Set(['The library is not ready (the database system is starting up): waiting']),
  )
})

test('waits for a server that was starting and is gone for less than a minute', async () => {
  let isBack = false
  const { server, config } = await listen((socket) =>
    isBack ? void socket.write(accepted) : void socket.end(starting),
  )
  let attempts = 0
  const pause = pausesBetween(() => {
    attempts++
    if (attempts === 1) server.close()
    if (attempts !== 30) return
    isBack = true
    server.listen(config.port, '127.0.0.1')
  })
  const client = await connectPatiently(config, { name: 'The library', say: () => {}, pause })
  await client.end()
  expect(attempts).toBeGreaterThanOrEqual(30)
})

test('fails after a minute without a server that was starting', async () => {
  const { server, config } = await listen((socket) => void socket.end(starting))
  let attempts = 0
  const pause = pausesBetween(() => {
    if (++attempts === 1) server.close()
  })
  const connecting = connectPatiently(config, { name: 'The library', say: () => {}, pause })
  await expect(connecting).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(attempts).toBe(60)
})

test('waits for a server whose bytes arrive one by one', async () => {
  // A notice of the server makes its response long.
  const response = [...Buffer.concat([message('N', Buffer.from(`M${'.'.repeat(500)}\0\0`)), accepted])]
  let receiver: Socket | null = null
  const { config } = await listen((socket) => {
    receiver = socket
  })
  const pause = async () => {
    const byte = receiver === null ? undefined : response.shift()
    if (byte !== undefined) receiver?.write(Buffer.from([byte]))
    await setImmediate()
  }
  const client = await connectPatiently(config, { name: 'The library', say: () => {}, pause })
  await client.end()
  expect(response).toEqual([])
})

test('fails after a minute without a byte, and says before that it waits', async () => {
  const { config } = await listen(() => {})
  const said: string[] = []
  let pauses = 0
  const pause = () => {
    pauses++
    return setImmediate()
  }
  const say = (line: string) => void said.push(line)
  await expect(connectPatiently(config, { name: 'The library', say, pause })).rejects.toThrow(
    'it does not answer',
  )
  expect(pauses).toBe(60)
  expect(said).toEqual(Array(2).fill('The library has not answered yet: waiting'))
})

test('passes any other refusal on at once', async () => {
  const { config } = await listen((socket) => void socket.end(refusal('28P01', 'the password is wrong')))
  const say = () => expect.fail('it waited')
  await expect(connectPatiently(config, { name: 'The library', say })).rejects.toMatchObject({
    code: '28P01',
  })
})
