import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll } from 'vitest'

/** The file that every antivirus finds, in two parts, so that none finds this one. */
export const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('')

type Behaviour = 'scan' | 'hang' | 'garbage' | 'cut' | 'error'

/** Starts a daemon that speaks as clamd does, and misbehaves when told. */
export async function openClamd() {
  let behaviour: Behaviour = 'scan'
  let scanned = 0
  const server = createServer((socket) => {
    const received: Buffer[] = []
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      if (behaviour === 'cut') socket.destroy()
      received.push(chunk)
      const content = chunk.subarray(-4).every((byte) => byte === 0)
        ? contentOf(Buffer.concat(received))
        : null
      if (content === null) return
      scanned++
      answer(socket, content)
    })
  })
  const answer = (socket: Socket, content: Buffer) => {
    if (behaviour === 'hang') return
    if (behaviour === 'garbage') return socket.end('x'.repeat(5_000))
    if (behaviour === 'error') return socket.end('INSTREAM size limit exceeded. ERROR\0')
    return socket.end(content.includes(eicar) ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  afterAll(() => void server.close())
  return {
    url: `tcp://127.0.0.1:${port}`,
    address: { host: '127.0.0.1', port },
    behave(next: Behaviour) {
      behaviour = next
    },
    /** How many files it has received to their end. */
    scanned: () => scanned,
  }
}

/** Returns the bytes that were sent with INSTREAM, once they are complete. */
function contentOf(received: Buffer): Buffer | null {
  const command = 'zINSTREAM\0'
  if (!received.subarray(0, command.length).equals(Buffer.from(command))) return null
  const chunks: Buffer[] = []
  for (let at = command.length; at + 4 <= received.length; ) {
    const length = received.readUInt32BE(at)
    if (length === 0) return Buffer.concat(chunks)
    chunks.push(received.subarray(at + 4, at + 4 + length))
    at += 4 + length
  }
  return null
}
