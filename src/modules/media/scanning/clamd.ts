import { connect } from 'node:net'
import { must, type Parse } from '../../../platform/config/settings.ts'

/** Where ClamAV's daemon listens. */
export type Clamd = { host: string; port: number }

/** Reads an address such as tcp://127.0.0.1:3310. */
export const clamdUrl: Parse<Clamd> = (value) => {
  const url = URL.parse(value)
  if (
    url?.protocol !== 'tcp:' ||
    url.hostname === '' ||
    !['', '/'].includes(url.pathname) ||
    url.search !== ''
  )
    throw must('an address such as tcp://127.0.0.1:3310')
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 3310) }
}

/** The daemon gave no verdict. */
export class ScanFailed extends Error {}

const chunkBytes = 256 * 1_024
const maxReplyBytes = 1_024

/** Has the daemon scan some bytes (its command INSTREAM). Returns the name of what it found, null if they are clean. */
export function scan({ host, port }: Clamd, content: Uint8Array, timeoutMs: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, signal: AbortSignal.timeout(timeoutMs) })
    let reply = ''
    const fail = (reason: string) => {
      socket.destroy()
      reject(new ScanFailed(`The antivirus of CLAMAV_URL ${reason}.`))
    }
    const read = () => {
      const [, verdict = ''] = /^stream: (OK|.{1,200} FOUND)\0?\s*$/.exec(reply) ?? []
      socket.destroy()
      if (verdict === 'OK') return resolve(null)
      if (verdict !== '') return resolve(verdict.slice(0, -' FOUND'.length))
      fail(
        reply === ''
          ? 'ended without a verdict'
          : `said “${reply.replaceAll(/[^\x20-\x7e]/g, ' ').slice(0, 100)}”`,
      )
    }
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      reply += text
      if (reply.includes('\0') || reply.length > maxReplyBytes) read()
    })
    socket.on('end', read)
    // It may reply and close before it has read everything.
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (reply.includes('FOUND')) return read()
      fail(code === 'ABORT_ERR' ? 'did not answer in time' : `failed: ${code ?? message}`)
    })
    socket.write('zINSTREAM\0')
    for (let at = 0; at < content.byteLength; at += chunkBytes) {
      const chunk = content.subarray(at, at + chunkBytes)
      socket.write(lengthOf(chunk.byteLength))
      socket.write(chunk)
    }
    socket.write(lengthOf(0))
  })
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}
