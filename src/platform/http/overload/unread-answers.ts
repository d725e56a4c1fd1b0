import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { warnOncePerMinute } from '../../log/log.ts'
import type { HttpServer } from '../http-server.ts'

export type UnreadAnswers = {
  /** What the service holds in memory for clients that have yet to read it, about. */
  readonly bytes: number
  /** An answer that the server does not see. */
  watch(response: ServerResponse, size: number): void
}

export type UnreadLimits = { maxBytes: number; stalledMs: number; connections: number }

const usualLimits: UnreadLimits = { maxBytes: 128 * 2 ** 20, stalledMs: 15_000, connections: 4_096 }

/**
 * An answer stays in memory until its client has read it. The connection is cut when the client reads nothing for a
 * while; and when all unread answers together are too large, those that have waited longest are cut first: who reads is
 * done in an instant, so that it meets those who do not.
 */
export function boundUnreadAnswers(server: HttpServer, limits: Partial<UnreadLimits> = {}): UnreadAnswers {
  const { maxBytes, stalledMs, connections } = { ...usualLimits, ...limits }
  const warnCut = warnOncePerMinute(
    server.log,
    'answers that clients do not read are too large together: cut',
  )
  const warnFull = warnOncePerMinute(server.log, 'too many connections: new ones are closed')
  // In the order in which they were sent.
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

  server.server.maxConnections = connections
  server.server.on('drop', () => warnFull())
  function watch(response: ServerResponse, size: number) {
    // An error may take the place of an answer that could not be sent.
    if (unread.has(response)) forget(response)
    else response.once('close', () => forget(response))
    const { socket } = response.req
    if (response.destroyed) return
    unread.set(response, { socket, size })
    bytes += size
    // Node counts what the network takes as a sign of life, and sets its own time once the answer is out.
    socket.setTimeout(stalledMs)
    cutOldestUntilFit(response)
  }
  server.addHook('onSend', async (_request, { raw }, payload) => watch(raw, sizeOf(payload)))
  return {
    watch,
    get bytes() {
      return bytes
    },
  }
}

/** Characters are about bytes; a stream reads no further than its client does. */
const sizeOf = (payload: unknown) =>
  typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0
