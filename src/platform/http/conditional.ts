import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Tags public reads with a strong ETag of their bytes, and answers 304 to a client that has these bytes. */
export async function respondConditionally(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  addVary(reply, 'X-App-Source, Accept-Language')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead || reply.statusCode !== 200 || typeof payload !== 'string') {
    request.shareResponse?.(reply, null)
    return payload
  }
  const etag = tagOf(payload)
  reply.header('etag', etag).header('cache-control', 'public, max-age=0, must-revalidate')
  request.shareResponse?.(reply, { payload, etag })
  if (!namesTag(request.headers['if-none-match'], etag)) return payload
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  // Fastify takes the body of a HEAD away itself, and needs it for the headers.
  return request.method === 'HEAD' ? payload : null
}

/** A strong ETag of these bytes. */
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
