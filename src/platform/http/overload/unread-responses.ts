import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { warnOncePerMinute } from '../../log/log.ts'
import { type HttpServer, hasConnection } from '../http-server.ts'

export type UnreadResponses = {
  /** Approximate memory of responses that clients have not read yet. */
  readonly bytes: number
  /** Watches a response that bypasses Fastify. */
  watch(response: ServerResponse, size: number): void
  /** Looks at what clients have taken since the last time, and disconnects those that took nothing for too long. */
  check(): void
}

export type UnreadLimits = { maxBytes: number; stalledMs: number }

export const defaultUnreadLimits: UnreadLimits = {
  maxBytes: 128 * 2 ** 20,
  stalledMs: 10_000,
}

/** How many times in `stalledMs` each response is looked at. */
const checks = 10

type Unread = {
  socket: Socket
  size: number
  /** Bytes that the network has taken from the connection, as of the last check. */
  taken: number
  /** In how many checks in a row it had not taken another byte. */
  stalled: number
}

/**
 * Limits the memory of responses that clients do not read. Closes a connection when its client takes no byte
 * for `stalledMs`; when the total is too large, closes the connections that have waited longest. Clients that
 * read finish quickly and are not affected.
 *
 * A response is stalled only while bytes of it wait for the client: not while the service prepares it, or an earlier one of
 * the same connection. It is counted in checks, which a stopped or starved process makes as rarely as it sends. A timeout of
 * the socket would tell neither, and may last twice as long.
 */
export function boundUnreadResponses(
  server: HttpServer,
  limits: Partial<UnreadLimits> = {},
): UnreadResponses {
  const { maxBytes, stalledMs } = { ...defaultUnreadLimits, ...limits }
  const warnCut = warnOncePerMinute(
    server.log,
    'answers that clients do not read are too large together: cut',
  )
  // In the order they were sent.
  const unread = new Map<ServerResponse, Unread>()
  let bytes = 0

  function forget(response: ServerResponse) {
    bytes -= unread.get(response)?.size ?? 0
    unread.delete(response)
  }
  function cut(response: ServerResponse, { socket }: Unread) {
    socket.destroy()
    forget(response)
  }
  function cutOldestUntilFit(newest: ServerResponse) {
    for (const [response, each] of unread) {
      if (bytes <= maxBytes || response === newest) return
      warnCut()
      cut(response, each)
    }
  }
  function check() {
    for (const [response, each] of unread) {
      const taken = bytesTaken(each.socket)
      const waits = response.socket !== null && response.writableLength > 0
      each.stalled = waits && taken === each.taken ? each.stalled + 1 : 0
      each.taken = taken
      if (each.stalled >= checks) cut(response, each)
    }
  }
  const timer = setInterval(check, stalledMs / checks).unref()
  server.addHook('onClose', async () => clearInterval(timer))

  function watch(response: ServerResponse, size: number) {
    // An error response may replace one that could not be sent.
    if (unread.has(response)) forget(response)
    else response.once('close', () => forget(response))
    const { socket } = response.req
    if (response.destroyed) return
    unread.set(response, { socket, size, taken: bytesTaken(socket), stalled: 0 })
    bytes += size
    cutOldestUntilFit(response)
  }
  server.addHook('onSend', async (request, { raw }, payload) => {
    if (hasConnection(request.raw)) watch(raw, sizeOf(payload))
  })
  return {
    watch,
    check,
    get bytes() {
      return bytes
    },
  }
}

/**
 * Returns how many bytes the network has taken. `socket.bytesWritten` counts those that wait too, and would not tell a
 * client that reads a large response slowly from one that reads nothing.
 */
function bytesTaken(socket: Socket): number {
  const { _handle } = socket as Socket & { _handle: { bytesWritten: number; writeQueueSize: number } | null }
  return _handle === null ? 0 : _handle.bytesWritten - _handle.writeQueueSize
}

/** Approximates bytes by characters. A stream counts as 0: it reads no further than its client. */
const sizeOf = (payload: unknown) =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
