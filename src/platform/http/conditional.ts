import { hash } from 'node:crypto'
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { isRead } from '../formats/http-methods.ts'
import { versionTag } from '../formats/version-tag.ts'

/** Adds a strong ETag to public reads, and returns 304 if the client already has the same bytes. */
export async function respondConditionally(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  // Only refusals have a language.
  const language = reply.statusCode === 200 ? '' : ', Accept-Language'
  const { page, scope, caching } = request.routeOptions.config
  if (scope?.appSource === undefined) addVary(reply, `X-App-Source${language}`)
  if (page?.isPersonal || isPrivate(caching, request.query)) {
    reply.header('cache-control', 'no-store')
    request.shareResponse?.(reply, null)
    return payload
  }
  if (!isRead(request.method) || reply.statusCode !== 200 || typeof payload !== 'string') {
    const own = reply.getHeader('etag')
    // A picture has its tag and its headers from its route.
    const isFinished = reply.statusCode === 200 && Buffer.isBuffer(payload) && typeof own === 'string'
    request.shareResponse?.(reply, isFinished ? { payload, etag: own } : null)
    return payload
  }
  const etag = tagOf(payload)
  const lastModified = reply.getHeader('last-modified') as string | undefined
  reply.header('etag', etag).header('cache-control', 'public, max-age=0, must-revalidate')
  request.shareResponse?.(reply, { payload, etag })
  for (const [name, value] of request.edgeHeaders?.() ?? []) reply.header(name, value)
  if (lastModified !== undefined) reply.header('last-modified', dateToSend(lastModified))
  const { 'if-none-match': tags, 'if-modified-since': date } = request.headers
  if (!isUnchanged({ tags, date }, { etag, lastModified })) return payload
  reply.code(304).removeHeader('content-type').removeHeader('content-length')
  // Fastify removes the body of a HEAD response itself, and needs it for the headers.
  return request.method === 'HEAD' ? payload : null
}

/** True if the request fills the parameter with which responses of its route are not stored. */
const isPrivate = (caching: FastifyContextConfig['caching'], query: unknown) =>
  caching !== undefined && 'unless' in caching && Object.hasOwn(Object(query), caching.unless ?? '')

/**
 * Returns `Last-Modified` for what changed at a time: the second after it. A date has whole seconds only, so that until then
 * another change may follow with the same date. It counts from that second on; before, `dateToSend` makes it a date that
 * no later response has.
 */
export const lastModifiedOf = (changedAt: Date): string =>
  new Date((Math.floor(changedAt.getTime() / 1_000) + 1) * 1_000).toUTCString()

const counts = (lastModified: string) => Date.now() >= Date.parse(lastModified)
export const dateToSend = (lastModified: string): string =>
  counts(lastModified) ? lastModified : new Date(Date.parse(lastModified) - 1_000).toUTCString()

type Asked = { tags: string | undefined; date: string | undefined }

/** Returns whether the client already has these bytes. The date counts without a tag, and only as it was sent. */
export function isUnchanged(
  { tags, date }: Asked,
  { etag, lastModified }: { etag: string; lastModified?: string | undefined },
): boolean {
  if (tags !== undefined || lastModified === undefined) return namesTag(tags, etag)
  return date === lastModified && counts(lastModified)
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
