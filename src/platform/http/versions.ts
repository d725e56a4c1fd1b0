import type { FastifyReply, FastifyRequest } from 'fastify'
import { versionTag } from '../version-tag.ts'

/** A single record carries its version as its ETag. */
export async function tagVersion(_request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const { data } = (payload ?? {}) as { data?: { version?: unknown } }
  if (typeof data?.version === 'number') reply.header('etag', versionTag(data.version))
  return payload
}
