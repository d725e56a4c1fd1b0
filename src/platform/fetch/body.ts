import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib'
import { FetchFailed } from './fetch-failed.ts'

export const acceptedEncodings = 'gzip, deflate, br'

/** Reads and decompresses the body. The limit applies to the received and to the decompressed size. */
export async function readBody(
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
