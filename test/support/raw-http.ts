import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type RawResponse = { status: number; headers: Headers; text: string }

/** Sends bytes unchanged, piece by piece, and returns the reply until the service closes. */
export async function exchange(url: string, pieces: Iterable<string | Buffer>): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk)).on('close', () => resolve())
  // A service that has already responded may refuse the rest.
  socket.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error)
  })
  for (const piece of pieces) {
    if (socket.destroyed) break
    if (!socket.write(piece))
      await Promise.race([
        new Promise((drained) => socket.once('drain', drained)),
        promise,
        sleep(5_000, undefined, { ref: false }),
      ])
  }
  await promise
  return parse(Buffer.concat(received).toString('latin1'))
}

function parse(answer: string): RawResponse {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Headers(
    lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { status: Number(first.split(' ')[1]), headers, text: rest.join('\r\n\r\n') }
}

/** A request as bytes, with `Connection: close` and its content length. */
export function rawRequest(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body: string | Buffer = '',
): Buffer {
  const length = Buffer.byteLength(body)
  const all = {
    Host: 'parvis',
    Connection: 'close',
    ...(length > 0 && { 'Content-Length': `${length}` }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.concat([
    Buffer.from(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`, 'latin1'),
    Buffer.from(body),
  ])
}
