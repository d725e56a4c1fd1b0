import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { namesTag } from './conditional.ts'

/** A stored PDF: its digest, the name that its reader sees, the one of its address, and a way to read a part of it. */
export type StoredPdf = {
  sha256: string
  nom: string
  slug: string
  bytes: number
  read(part: { first: number; length: number }): Promise<Buffer>
}

/**
 * Browsers show a PDF in a page of their own making, which may load nothing and run nothing of it. With `sandbox` Chromium
 * would not show it at all.
 */
const policy = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'"

/** So many bytes of a document are in memory at a time. */
const chunkBytes = 512 * 1_024

/**
 * Sends a PDF or the part of it that the request asks for. It is read while it is sent, a part at a time: 20 MB at once
 * would take memory and keep other requests waiting.
 */
export function sendPdf(
  request: Pick<FastifyRequest, 'headers' | 'method'>,
  reply: FastifyReply,
  { sha256, nom, slug, bytes, read }: StoredPdf,
) {
  const etag = `"${sha256.slice(0, 32)}-pdf"`
  const named = encodeURIComponent(`${nom}.pdf`).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('content-security-policy', policy)
    .header('content-disposition', `inline; filename="${slug}.pdf"; filename*=UTF-8''${named}`)
  if (namesTag(request.headers['if-none-match'], etag)) return reply.code(304).send()
  const { range, 'if-range': state } = request.headers
  const part = range === undefined || (state !== undefined && state !== etag) ? null : partOf(range, bytes)
  if (part === 'beyond') return reply.code(416).header('content-range', `bytes */${bytes}`).send()
  const { first, last } = part ?? { first: 0, last: bytes - 1 }
  if (part !== null) reply.code(206).header('content-range', `bytes ${first}-${last}/${bytes}`)
  const chunks = request.method === 'HEAD' ? [] : chunksOf(read, first, last)
  return reply
    .type('application/pdf')
    .header('content-length', last - first + 1)
    .send(Readable.from(chunks, { objectMode: false }))
}

/** Reads a range such as `bytes=0-499`; null for what a server may ignore, as several parts. */
function partOf(range: string, bytes: number): { first: number; last: number } | 'beyond' | null {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim()) ?? []
  if (from === '' && to === '') return null
  if (from === '')
    return to === '0'.repeat(to.length)
      ? 'beyond'
      : { first: Math.max(0, bytes - Number(to)), last: bytes - 1 }
  if (to !== '' && Number(to) < Number(from)) return null
  if (Number(from) >= bytes) return 'beyond'
  return { first: Number(from), last: Math.min(to === '' ? bytes - 1 : Number(to), bytes - 1) }
}

async function* chunksOf(read: StoredPdf['read'], first: number, last: number) {
  for (let at = first; at <= last; at += chunkBytes)
    yield await read({ first: at, length: Math.min(chunkBytes, last - at + 1) })
}
