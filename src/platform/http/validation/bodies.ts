import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { invalid, malformedRequest, unsupportedMediaType } from '../../errors.ts'
import type { HttpServer } from '../http-server.ts'
import { storeBodyDigest } from '../idempotency-keys.ts'
import { exceedsJsonLimits, jsonLimits } from '../overload/json-limits.ts'

/** Parses bodies as JSON. An empty body counts as no body, whatever its content type. */
export function acceptJsonBodies(server: HttpServer): void {
  server.removeAllContentTypeParsers()
  server.addHook('preParsing', async ({ headers }) => {
    if (isEncoded(headers)) throw unsupportedMediaType()
  })
  const readBody = async (request: FastifyRequest, body: Buffer) => {
    storeBodyDigest(request, body)
    return readJson(body)
  }
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, readBody)
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
    done(body.length === 0 ? null : unsupportedMediaType())
  })
}

/** True for a compressed body: its bytes are no JSON, and to expand them could cost a thousand times their size. */
function isEncoded(headers: IncomingHttpHeaders): boolean {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return hasBody && encoding !== '' && encoding !== 'identity'
}

/** Parses a body; undefined when it is empty. */
export function readJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  // Invalid UTF-8 would silently be stored as replacement characters.
  if (!isUtf8(body)) throw malformedRequest()
  if (exceedsJsonLimits(body)) throw invalid('', tooMany)
  const value = parse(body.toString())
  if (value === null) throw invalid('', notNull)
  return value
}

/** Parses keys such as `__proto__` as ordinary keys, which no schema allows. */
function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw malformedRequest()
  }
}

// Checked here, because later code cannot distinguish null from a missing body.
const notNull = { en: 'must not be null', fr: 'ne doit pas être nul' }
const { levels, keys, items, values } = jsonLimits
const tooMany = {
  en: `must have at most ${levels} levels, ${keys} keys per object, ${items} items per list and ${values} values`,
  fr: `doit avoir au plus ${levels} niveaux, ${keys} clés par objet, ${items} éléments par liste et ${values} valeurs`,
}
