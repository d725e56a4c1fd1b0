import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PublicRead } from '../database/replica/public-databases.ts'
import { isRead } from '../formats/http-methods.ts'
import { versionTag } from '../formats/version-tag.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while replicas may serve the request. */
    publicRead: PublicRead | null
  }
  interface FastifyContextConfig {
    /** A page of one person, whose address is a secret: nobody stores it. */
    isPersonal?: boolean
  }
}

/**
 * Adds a strong ETag to public reads, and returns 304 if the client already has the same bytes. A response that a
 * replica gave while the primary was unavailable is marked instead, and cached nowhere.
 */
export async function respondConditionally(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  // Only refusals have a language.
  const language = reply.statusCode === 200 ? '' : ', Accept-Language'
  if (request.routeOptions.config.appSource === undefined) addVary(reply, `X-App-Source${language}`)
  if (request.routeOptions.config.isPersonal) {
    reply.header('cache-control', 'no-store')
    request.shareResponse?.(reply, null)
    return payload
  }
  if (request.publicRead?.mayBeOutdated) {
    reply.header('x-may-be-outdated', 'true').header('cache-control', 'no-store')
    request.shareResponse?.(reply, null)
    return payload
  }
  if (!isRead(request.method) || reply.statusCode !== 200 || typeof payload !== 'string') {
    request.shareResponse?.(reply, null)
    return payload
  }
  const etag = tagOf(payload)
  reply.header('etag', etag).header('cache-control', 'public, max-age=0, must-revalidate')
  request.shareResponse?.(reply, { payload, etag })
  for (const [name, value] of request.edgeHeaders?.() ?? []) reply.header(name, value)
  if (!namesTag(request.headers['if-none-match'], etag)) return payload
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  // Fastify removes the body of a HEAD response itself, and needs it for the headers.
  return request.method === 'HEAD' ? payload : null
}

/** Sets the ETag of a single record to its version. */
export async function tagVersion(_request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const { data } = (payload ?? {}) as { data?: { version?: unknown } }
  if (typeof data?.version === 'number') reply.header('etag', versionTag(data.version))
  return payload
}

/** Returns a strong ETag of the payload. */
export const tagOf = (payload: string) => `"${hash('sha256', payload, 'base64url').slice(0, 27)}"`

export function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

function addVary(reply: FastifyReply, fields: string): void {
  const present = reply.getHeader('vary')
  reply.header('vary', present === undefined ? fields : `${present}, ${fields}`)
}
