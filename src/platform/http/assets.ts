import { hash } from 'node:crypto'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip, constants as zlib } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { namesTag } from './conditional.ts'

export type Encoding = 'br' | 'gzip'
/** A file in memory, with its compressed forms. */
export type Asset = {
  type: string
  digest: string
  body: Buffer
  compressed: Partial<Record<Encoding, Buffer>>
}

export const digestOf = (content: Buffer | string) => hash('sha256', content, 'base64url').slice(0, 27)

export const typeOf = (path: string): string => types[extname(path)] ?? 'application/octet-stream'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Compresses content outside the event loop. A higher quality of Brotli takes ten times as long for a tenth less. */
export async function compressedAsset(type: string, body: Buffer): Promise<Asset> {
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 9, [zlib.BROTLI_PARAM_SIZE_HINT]: body.length }
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(body, { params }),
    promisify(gzip)(body, { level: 9 }),
  ])
  return { type, digest: digestOf(body), body, compressed: { br, gzip: gz } }
}

/** Sends an asset in the best encoding that the client accepts; 304 if it has it. */
export function sendAsset(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { type, digest, body, compressed }: Asset,
  cacheControl: string,
): FastifyReply {
  const encoding = encodingFor(headers['accept-encoding'], compressed)
  const etag = encoding === null ? `"${digest}"` : `"${digest}-${encoding}"`
  reply
    .type(type)
    .header('cache-control', cacheControl)
    .header('etag', etag)
    .header('vary', 'Accept-Encoding')
  if (namesTag(headers['if-none-match'], etag)) return reply.code(304).send()
  if (encoding === null) return reply.send(body)
  return reply.header('content-encoding', encoding).send(compressed[encoding])
}

/** Prefers Brotli to gzip; `q=0` refuses an encoding. */
function encodingFor(accepted: string | undefined, present: Asset['compressed']): Encoding | null {
  if (accepted === undefined) return null
  const refused = /^q=0(\.0*)?$/
  const names = accepted.split(',').flatMap((part) => {
    const [name = '', ...params] = part.split(';').map((piece) => piece.trim().toLowerCase())
    return params.some((param) => refused.test(param)) ? [] : [name]
  })
  const usable = (['br', 'gzip'] as const).filter((encoding) => present[encoding] !== undefined)
  return usable.find((encoding) => names.includes(encoding)) ?? null
}
