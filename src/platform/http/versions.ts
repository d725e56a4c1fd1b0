import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { preconditionFailed } from '../errors.ts'

/**
 * Records that change carry a version. One record alone carries it as its ETag too, and `If-Match` with that tag
 * refuses a change made on top of somebody else's. Rules call this once they have locked the row.
 */
export function requireVersion({ ifMatch }: Caller, { version }: { version: number }): void {
  if (ifMatch === null || ifMatch.trim() === '*') return
  if (!ifMatch.split(',').some((tag) => tag.trim() === versionTag(version))) throw preconditionFailed()
}

export async function tagVersion(_request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const { data } = (payload ?? {}) as { data?: { version?: unknown } }
  if (typeof data?.version === 'number') reply.header('etag', versionTag(data.version))
  return payload
}

const versionTag = (version: number) => `"${version}"`
