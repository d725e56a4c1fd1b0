import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { invalid, preconditionFailed } from '../errors.ts'

/**
 * Records that change carry a version. One record alone carries it as its ETag too, and `If-Match` with that tag
 * refuses a change made on top of somebody else's. Rules call this once they have locked the row.
 */
export function requireVersion({ ifMatch }: Caller, { version }: { version: number }): void {
  if (ifMatch === null || ifMatch.trim() === '*') return
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  if (!tags.every((tag) => /^"\d+"$/.test(tag))) throw invalid('If-Match', noVersion)
  if (!tags.includes(versionTag(version))) throw preconditionFailed()
}

/** Else a caller who forgets the quotes would look for whoever changed the record. */
const noVersion = {
  en: 'must be a version in double quotes, as in "3"',
  fr: 'doit être une version entre guillemets droits, comme "3"',
}

export async function tagVersion(_request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  const { data } = (payload ?? {}) as { data?: { version?: unknown } }
  if (typeof data?.version === 'number') reply.header('etag', versionTag(data.version))
  return payload
}

const versionTag = (version: number) => `"${version}"`
