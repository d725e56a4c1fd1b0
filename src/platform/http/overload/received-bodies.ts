import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import { unavailable } from '../../errors.ts'
import { warnOncePerMinute } from '../../log/log.ts'
import { type HttpServer, hasConnection } from '../http-server.ts'
import { uploadBytes } from '../route-table.ts'

export type BodyLimits = {
  /** Limit for all bodies in memory together. */
  totalBytes: number
  /** Limit for one body on a public route. Other routes use Fastify's `bodyLimit`. */
  publicBytes: number
  /** Limit for one body on a sign-in route: the largest is the response of an authenticator, with its certificates. */
  signInBytes: number
}

/** The longest publication takes 240 000 bytes if every character is escaped. */
export const defaultBodyLimits: BodyLimits = {
  totalBytes: 64 * 2 ** 20,
  publicBytes: 256 * 1_024,
  signInBytes: 16 * 1_024,
}

export type ReceivedBodies = { readonly bytes: number }

type Body = { bytes: number; reply: FastifyReply }

const reason = 'the bodies that are being received are too large together'

/**
 * Limits the memory of request bodies, from their first byte to the end of the request. When the total is too
 * large, the bodies that have been arriving for longest are refused first: an honest upload finishes quickly,
 * so this affects clients that stop midway. Register it after every other `preParsing` hook: it must listen
 * to a body in the same tick in which Fastify begins to read it.
 */
export function boundReceivedBodies(server: HttpServer, limits: Partial<BodyLimits> = {}): ReceivedBodies {
  const { totalBytes, publicBytes, signInBytes } = { ...defaultBodyLimits, ...limits }
  const warn = warnOncePerMinute(server.log, `${reason}: the oldest are refused`)
  // In the order of their arrival.
  const bodies = new Map<IncomingMessage, Body>()
  let bytes = 0

  function add(request: IncomingMessage, body: Body, length: number) {
    body.bytes += length
    bytes += length
    if (bytes <= totalBytes) return
    warn()
    for (const [oldest, each] of bodies) {
      if (bytes <= totalBytes) return
      if (!oldest.complete) refuse(oldest, each)
    }
    // All other bodies have arrived, and their requests run or are queued.
    if (bytes > totalBytes && !request.complete) refuse(request, body)
  }
  function forget(request: IncomingMessage) {
    bytes -= bodies.get(request)?.bytes ?? 0
    bodies.delete(request)
  }
  function refuse(request: IncomingMessage, { reply }: Body) {
    forget(request)
    const { socket } = request
    reply.header('connection', 'close').raw.once('finish', () => socket.destroy())
    // Fastify's body reader treats it as a read error, and passes it to the error handler.
    if (request.listenerCount('error') > 0) request.emit('error', unavailable(reason))
    else socket.destroy()
  }

  server.addHook('onRoute', (route) => {
    const audience = route.config?.scope?.audience
    if (audience === 'public') route.bodyLimit ??= publicBytes
    if (audience === 'sign-in') route.bodyLimit ??= signInBytes
  })
  server.addHook('preParsing', (request, reply, payload, done) => {
    const { raw } = request
    // A file goes to disk as it arrives, and is not held in memory.
    if (uploadBytes(request.routeOptions.config) !== null || !hasConnection(raw)) return done(null, payload)
    if (!raw.complete || raw.readableLength > 0) {
      const body = { bytes: 0, reply }
      bodies.set(raw, body)
      reply.raw.once('close', () => forget(raw))
      if (raw.complete) add(raw, body, raw.readableLength)
      else raw.on('data', (chunk: Buffer) => bodies.has(raw) && add(raw, body, chunk.length))
    }
    done(null, payload)
  })
  return {
    get bytes() {
      return bytes
    },
  }
}
