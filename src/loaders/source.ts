import { open } from 'node:fs/promises'
import { addAbortSignal, pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { StartError } from '../platform/config/start-error.ts'
import { todayInParis } from '../platform/time/paris-time.ts'

export type Source = {
  input: AsyncIterable<Uint8Array>
  close: () => Promise<void>
  /** The day of the file, where it has one. */
  asOf: string | null
}

/** Opens a file or an https address. A file that is compressed by gzip is read as what it contains. */
export async function openSource(name: string, signal: AbortSignal): Promise<Source> {
  const { input, ...source } = /^https?:\/\//i.test(name)
    ? await download(name, signal)
    : await openFile(name, signal)
  return { input: uncompressed(input), ...source }
}

async function openFile(path: string, signal: AbortSignal): Promise<Source> {
  try {
    const handle = await open(path)
    const close = () => handle.close().catch(() => {})
    const stat = await handle.stat()
    if (stat.isFile()) {
      const input = addAbortSignal(signal, handle.createReadStream({ highWaterMark: 262_144 }))
      return { input, close, asOf: todayInParis(stat.mtime) }
    }
    await close()
  } catch (error) {
    throw new StartError(`The file ${path} cannot be read (${codeOf(error)}).`)
  }
  throw new StartError(`${path} is not a file.`)
}

async function download(url: string, signal: AbortSignal): Promise<Source> {
  const response = await fetch(url, { signal, headers: { 'user-agent': 'Parvis' } }).catch(
    (error: unknown) => {
      signal.throwIfAborted()
      throw new StartError(`${url} cannot be reached (${codeOf((error as Error).cause)}).`)
    },
  )
  if (!response.ok || response.body === null) throw new StartError(`${url} answered ${response.status}.`)
  // `close` keeps the response: fetch cancels a body that nobody reads yet when its response is garbage-collected.
  const close = async () => response.body?.cancel().catch(() => {})
  const asOf = dayOf(response.headers.get('last-modified'))
  return { input: received(response.body, url, signal), close, asOf }
}

/** Returns the day of a `Last-Modified`, or null. A day to come is that of a wrong clock. */
export function dayOf(lastModified: string | null, now = new Date()): string | null {
  const at = new Date(lastModified ?? '')
  return Number.isNaN(at.getTime()) || at > now ? null : todayInParis(at)
}

async function* received(body: AsyncIterable<Uint8Array>, url: string, signal: AbortSignal) {
  try {
    yield* body
  } catch (error) {
    signal.throwIfAborted()
    throw new StartError(`The connection to ${url} was cut (${codeOf((error as Error).cause)}).`)
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException | undefined)?.code ?? 'no code'

/** No public file has so much, but a few kilobytes of gzip may. */
const maxContents = 4_000_000_000

/** Yields the bytes of a stream; of one that gzip compressed, its contents, up to `most` bytes. */
export async function* uncompressed(
  input: AsyncIterable<Uint8Array>,
  most = maxContents,
): AsyncGenerator<Uint8Array> {
  const pieces = input[Symbol.asyncIterator]()
  const first = await pieces.next()
  async function* whole() {
    if (!first.done) yield first.value
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) yield next.value
  }
  const isCompressed = !first.done && first.value[0] === 0x1f && first.value[1] === 0x8b
  if (!isCompressed) return yield* whole()
  try {
    let total = 0
    for await (const piece of pipeline(Readable.from(whole()), createGunzip(), () => {})) {
      total += piece.length
      if (total > most) throw new StartError(`The compressed file holds more than ${most} bytes.`)
      yield piece
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (!code.startsWith('Z_')) throw error
    throw new StartError(`The compressed file is damaged or was cut short (${code}).`)
  }
}
