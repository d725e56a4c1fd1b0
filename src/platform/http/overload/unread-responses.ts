import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { warnOncePerMinute } from '../../log/log.ts'
import { type HttpServer, hasConnection } from '../http-server.ts'

export type UnreadResponses = {
  /** Approximate memory of responses that clients have not read yet. */
  readonly bytes: number
  /** Watches a response that bypasses Fastify. */
  watch(response: ServerResponse, size: number): void
}

export type UnreadLimits = { maxBytes: number; stalledMs: number }

export const defaultUnreadLimits: UnreadLimits = {
  maxBytes: 128 * 2 ** 20,
  stalledMs: 10_000,
}

/**
 * Limits the memory of responses that clients do not read. Closes a connection when its client reads nothing
 * for `stalledMs`; when the total is too large, closes the connections that have waited longest. Clients that
 * read finish quickly and are not affected.
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
  const unread = new Map<ServerResponse, { socket: Socket; size: number }>()
  let bytes = 0

  function forget(response: ServerResponse) {
    bytes -= unread.get(response)?.size ?? 0
    unread.delete(response)
  }
  function cutOldestUntilFit(newest: ServerResponse) {
    for (const [response, { socket }] of unread) {
      if (bytes <= maxBytes || response === newest) return
      warnCut()
      socket.destroy()
      forget(response)
    }
  }

  function watch(response: ServerResponse, size: number) {
    // An error response may replace one that could not be sent.
    if (unread.has(response)) forget(response)
    else response.once('close', () => forget(response))
    const { socket } = response.req
    if (response.destroyed) return
    unread.set(response, { socket, size })
    bytes += size
    // Node counts network writes as activity and sets its own timeout once the response is sent.
    socket.setTimeout(stalledMs)
    cutOldestUntilFit(response)
  }
  server.addHook('onSend', async (request, { raw }, payload) => {
    if (hasConnection(request.raw)) watch(raw, sizeOf(payload))
  })
  return {
    watch,
    get bytes() {
      return bytes
    },
  }
}

/** Approximates bytes by characters. A stream counts as 0: it reads no further than its client. */
const sizeOf = (payload: unknown) =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
