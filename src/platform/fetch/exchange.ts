import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import type { errors } from 'undici'
import { type ConnectRules, guardedConnector } from './connect.ts'
import { FetchFailed } from './fetch-failed.ts'

const acceptedEncodings = 'gzip, deflate, br'

/** Reads and decompresses the body. The limit applies to the received and to the decompressed size. */
async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  headers: ReadonlyMap<string, string>,
  maxBytes: number,
): Promise<Buffer> {
  const received = await collect(chunks, headers.get('content-length'), maxBytes)
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() || 'identity'
  if (encoding === 'identity' || received.length === 0) return received
  const decode = decoderOf(encoding, received)
  if (!decode) throw new FetchFailed('bad_encoding')
  return await decode(received, { maxOutputLength: maxBytes }).catch((error: NodeJS.ErrnoException) => {
    throw new FetchFailed(error.code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'bad_encoding', error)
  })
}

// Uses one growing buffer: a list of single-byte chunks would take a hundred times its size.
async function collect(chunks: AsyncIterable<Uint8Array>, declared: string | undefined, maxBytes: number) {
  if (Number(declared) > maxBytes) throw new FetchFailed('too_large')
  let bytes = Buffer.alloc(16_384)
  let length = 0
  for await (const chunk of chunks) {
    const end = length + chunk.length
    if (end > maxBytes) throw new FetchFailed('too_large')
    if (end > bytes.length)
      bytes = Buffer.concat([bytes.subarray(0, length)], Math.max(end, bytes.length * 2))
    bytes.set(chunk, length)
    length = end
  }
  return bytes.subarray(0, length)
}

// Refuses stacked encodings ("gzip, br"): no feed uses them, and each layer multiplies the work.
function decoderOf(encoding: string, received: Buffer) {
  if (encoding === 'gzip' || encoding === 'x-gzip') return promisify(gunzip)
  if (encoding === 'br') return promisify(brotliDecompress)
  if (encoding === 'deflate') return promisify(hasZlibHeader(received) ? inflate : inflateRaw)
  return null
}

// Some servers send "deflate" with its zlib header, as the standard requires, and others without.
function hasZlibHeader(received: Buffer): boolean {
  return received.length > 1 && ((received[0] ?? 0) & 15) === 8 && received.readUInt16BE(0) % 31 === 0
}

export type HttpResponse = {
  status: number
  headers: ReadonlyMap<string, string>
  body: Buffer
  redirect: string | null
}

/** The request: a POST if it has a body, otherwise a GET. */
export type HttpRequest = { headers: Record<string, string>; body?: string | Uint8Array | undefined }

export type Limits = { maxBytes: number; maxHeaderBytes: number }

/** Sends one request on its own connection and returns the response. Does not read the body of a redirect. */
export async function exchange(
  url: URL,
  { headers, body }: HttpRequest,
  rules: ConnectRules & Limits,
  signal: AbortSignal,
): Promise<HttpResponse> {
  // Loaded at the first request, because few services fetch anything in their first seconds.
  const { Client, errors } = await import('undici')
  const client = new Client(url.origin, {
    connect: guardedConnector(rules, signal),
    maxHeaderSize: rules.maxHeaderBytes,
    // The only timeout is the caller's signal, which also covers redirects.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    const response = await client.request({
      method: body === undefined ? 'GET' : 'POST',
      path: url.pathname + url.search,
      headers: { ...headers, 'accept-encoding': acceptedEncodings },
      body: body ?? null,
      reset: true,
      signal,
    })
    const received = flat(response.headers)
    const status = response.statusCode
    const redirect = redirects.has(status) ? location(received) : null
    const empty = redirect !== null || status === 304
    const content = empty ? Buffer.alloc(0) : await readBody(response.body, received, rules.maxBytes)
    return { status, headers: received, body: content, redirect }
  } catch (error) {
    throw signal.aborted ? signal.reason : asFailure(error, errors)
  } finally {
    await client.destroy()
  }
}

const redirects = new Set([301, 302, 303, 307, 308])

// Node reads headers as Latin-1; an unescaped path with accents is UTF-8.
function location(headers: ReadonlyMap<string, string>): string | null {
  const value = headers.get('location')
  return value === undefined ? null : Buffer.from(value, 'latin1').toString()
}

function flat(headers: Record<string, string | string[] | undefined>): Map<string, string> {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name, [value ?? []].flat().join(', ')] as const,
  )
  return new Map(entries)
}

// Passes on an error without a code: it is a bug of the service, such as a header that cannot be sent.
function asFailure(error: unknown, known: typeof errors): unknown {
  if (error instanceof known.HTTPParserError) return new FetchFailed('bad_response', error)
  if (error instanceof known.HeadersOverflowError) return new FetchFailed('too_large', error)
  if (error instanceof FetchFailed || error instanceof known.InvalidArgumentError) return error
  return error instanceof Error && 'code' in error ? new FetchFailed('connection', error) : error
}
