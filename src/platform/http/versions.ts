import type { FastifyReply, FastifyRequest } from 'fastify'
import { versionTag } from '../formats/version-tag.ts'

/** Sets the ETag of a single record to its version. */
export async function tagVersion(_request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const { data } = (payload ?? {}) as { data?: { version?: unknown } }
  if (typeof data?.version === 'number') reply.header('etag', versionTag(data.version))
  return payload
}
