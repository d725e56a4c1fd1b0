import { connect, type Socket } from 'node:net'
import { messageOf, type Request } from './request.ts'

/** A connection with at most one request in flight. */
type Line = {
  socket: Socket
  resolve: ((status: string) => void) | null
  /** The part of the response's head that has arrived; null once it is complete. */
  head: string | null
  status: string
  bytesLeft: number
}

/**
 * Opens an HTTP client that costs about a tenth of a general one, because the generator shares the processors with
 * what it measures. Understands only responses with a Content-Length, or without a body.
 */
export function openClient(port: number, requests: readonly Request[]) {
  const messages = requests.map((request) => Buffer.from(messageOf(request, port)))
  const idle: Line[] = []
  const all = new Set<Line>()

  function open(): Line {
    const line: Line = {
      socket: connect(port, '127.0.0.1'),
      resolve: null,
      head: '',
      status: '',
      bytesLeft: 0,
    }
    all.add(line)
    line.socket.setNoDelay()
    line.socket.on('data', (chunk: Buffer) => receive(line, chunk))
    line.socket.on('error', () => {})
    line.socket.on('close', () => {
      all.delete(line)
      const at = idle.indexOf(line)
      if (at !== -1) idle.splice(at, 1)
      line.resolve?.('cut')
    })
    return line
  }
  function receive(line: Line, chunk: Buffer) {
    let bodyBytes = chunk.length
    if (line.head !== null) {
      line.head += chunk.toString('latin1')
      const end = line.head.indexOf('\r\n\r\n')
      if (end === -1) return
      bodyBytes = line.head.length - end - 4
      line.status = line.head.slice(9, 12)
      line.bytesLeft = Number(/\r\ncontent-length: (\d+)/i.exec(line.head.slice(0, end + 2))?.[1] ?? 0)
      if (/\r\nconnection: close/i.test(line.head.slice(0, end + 2))) all.delete(line)
      line.head = null
    }
    line.bytesLeft -= bodyBytes
    if (line.bytesLeft > 0) return
    const { resolve } = line
    line.resolve = null
    line.head = ''
    if (all.has(line)) idle.push(line)
    resolve?.(line.status)
  }

  return {
    /** Sends a request by its number and returns the status of the response, or `cut`. */
    send(number: number): Promise<string> {
      const line = idle.pop() ?? open()
      return new Promise((resolve) => {
        line.resolve = resolve
        line.socket.write(messages[number] ?? '')
      })
    },
    close() {
      for (const { socket } of all) socket.destroy()
    },
  }
}
