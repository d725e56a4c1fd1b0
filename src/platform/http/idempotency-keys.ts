import { createHmac, hash, hkdfSync } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { invalid } from '../errors.ts'
import { creates } from '../formats/http-methods.ts'
import { addressCaller } from '../formats/network-address.ts'
import type { HttpServer } from './http-server.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Digest of the body bytes, for requests that may be retried. */
    bodyDigest?: string
  }
}

const header = 'idempotency-key'

/** Stores a digest of the body, because the bytes are no longer available after parsing. */
export function storeBodyDigest(request: FastifyRequest, body: Buffer): void {
  if (request.headers[header] !== undefined) request.bodyDigest = hash('sha256', body, 'base64url')
}

/**
 * Reads the `Idempotency-Key` of requests that create, and of toggles without a body. Runs after the checks of the
 * audience and the rate limits.
 */
export function readIdempotencyKeys(server: HttpServer, secret: string): void {
  const digestKey = Buffer.from(hkdfSync('sha256', secret, '', 'parvis repeated requests', 32))
  server.addHook('preHandler', async (request) => {
    const given = request.headers[header]
    if (given === undefined) return
    const { method, routeOptions } = request
    if (!creates(method, routeOptions.schema?.response as object) && !toggles(request)) return
    if (typeof given !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(given)) throw invalid(name, messages)
    const { user } = request.caller
    const who =
      user === null
        ? `address ${addressCaller(request.ip)}`
        : ['user', user.id, ...(user.key ? [user.key.id] : [])].join(' ')
    const key = createHmac('sha256', digestKey)
      .update(JSON.stringify([who, request.url, given]))
      .digest('base64url')
    request.caller = { ...request.caller, repeat: { key, bodyDigest: request.bodyDigest ?? '' } }
  })
}

/** A request with a body states the target value, so it is idempotent without a key. */
const toggles = ({ routeOptions, body }: FastifyRequest): boolean =>
  routeOptions.config.repeatable === true && body === undefined

const name = 'Idempotency-Key'
const messages = {
  en: 'must be 1 to 200 visible ASCII characters',
  fr: 'doit compter 1 à 200 caractères ASCII visibles',
}
