import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Public reads carry a strong ETag of the very bytes, and answer 304 to who has them already.
 */
export async function answerConditionally(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  addVary(reply, 'X-App-Source, Accept-Language')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead || reply.statusCode !== 200 || typeof payload !== 'string') return payload
  const etag = `"${hash('sha256', payload, 'base64url').slice(0, 27)}"`
  reply.header('etag', etag).header('cache-control', 'public, max-age=0, must-revalidate')
  request.keepAnswer?.(reply, payload, etag)
  if (!namesTag(request.headers['if-none-match'], etag)) return payload
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  // Who answers a HEAD takes the body away, and wants to have it first.
  return request.method === 'HEAD' ? payload : null
}

export function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

function addVary(reply: FastifyReply, fields: string): void {
  const present = reply.getHeader('vary')
  reply.header('vary', present === undefined ? fields : `${present}, ${fields}`)
}
