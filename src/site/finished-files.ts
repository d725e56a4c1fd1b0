import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { pipeline as finishPipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { rateLimited, unavailable } from '../platform/errors.ts'
import { addressCaller } from '../platform/formats/network-address.ts'
import { weightsOf } from '../platform/http/weights.ts'
import type { Clock } from '../platform/time/clock.ts'
import { chargeTurn, runFor } from '../platform/time/processing-time.ts'

/** Yields the text of a file, a few hundred rows at a time. */
export type Batches = () => AsyncGenerator<string>
export type FinishedFiles = ReturnType<typeof finishedFiles>

/** A file is built again when it is older than this, and than ten times as long as its build took. */
const leastAgeMs = 60_000
const agePerBuild = 10
const answersPerAddress = 2
const retryAfterS = 5
/** Refusals are sent this much later, because clients that ask again at once would keep the service busy with them. */
const refusalDelayMs = 250
const longestAnswerMs = 15 * 60_000
/** What is read and sent of a file at a time: a part of it as it is, or less, which a reader of plain text gets as much larger. */
const partBytes = { compressed: 64 * 1_024, plain: 8 * 1_024 }

/**
 * Keeps the large files of the site compressed on the disk. Gain: twenty clients that download the communes of the sitemap
 * without a pause make a cached page 2 times slower (p50, 3.2 ms) instead of 18 times.
 *
 * A file is
 * - building, from its first request on: responses follow it as it grows. Builds take turns, batch by batch;
 * - finished: it is sent as it is. Responses take turns, part by part, and give way to other requests after each;
 * - dropped, when it is too old, its build failed or the service stops. It is closed after its last response, and has no
 *   name in its folder: a process that is killed leaves nothing behind.
 */
export function finishedFiles(clock: Clock) {
  const files = new Map<string, Kept>()
  const built = new Map<string, Built>()
  const takeTurn = inTurns()
  const takeTurnToSend = inTurns()
  const takePlace = placesPerAddress(answersPerAddress)

  function find(key: string, batches: Batches): Promise<File> {
    const known = files.get(key)
    if (known !== undefined && clock().getTime() < known.until) return known.opened
    if (known !== undefined) drop(key, known)
    const since = clock()
    // Everybody gets what the first one has built: nobody pays for it.
    const kept: Kept = { opened: runFor(null, () => build(batches)), until: Number.POSITIVE_INFINITY }
    files.set(key, kept)
    const finish = async () => {
      const { finished, bytes, textBytes } = await kept.opened
      const tookMs = await finished
      const ageMs = Math.max(leastAgeMs, agePerBuild * tookMs)
      kept.until = clock().getTime() + ageMs
      built.set(key, { at: since, bytes, textBytes })
      setTimeout(() => drop(key, kept), ageMs).unref()
    }
    finish().catch(() => drop(key, kept))
    return kept.opened
  }
  function drop(key: string, kept: Kept) {
    if (files.get(key) !== kept) return
    files.delete(key)
    kept.opened.then(leave, () => {})
  }
  /** Reads the first batch before the file is there, so that a failure is still a response of its own. */
  async function build(batches: Batches): Promise<File> {
    const rows = batches()
    const next = () => takeTurn(() => rows.next())
    const first = await next()
    return write(await openNameless(), first, next)
  }

  return {
    /** Sends a file, which its batches write if it has to be built. The third response at once to an address is 429. */
    async send(request: FastifyRequest, reply: FastifyReply, key: string, batches: Batches) {
      reply.header('vary', 'Accept-Encoding')
      // A stream, though empty: its length is not known, and is not 0.
      if (request.method === 'HEAD') return reply.send(Readable.from([]))
      try {
        takePlace(addressCaller(request.ip), reply.raw)
      } catch (refusal) {
        await sleep(refusalDelayMs)
        throw refusal
      }
      const file = await find(key, batches)
      file.users++
      const isCompressed = acceptsGzip(request)
      const parts = contentOf(file, partBytes[isCompressed ? 'compressed' : 'plain'], takeTurnToSend)
      const content = Readable.from(parts, { objectMode: false })
      const timer = setTimeout(() => content.destroy(), longestAnswerMs)
      content.once('close', () => {
        clearTimeout(timer)
        leave(file)
      })
      if (isCompressed) reply.header('content-encoding', 'gzip')
      if (file.isFinished) reply.header('content-length', isCompressed ? file.bytes : file.textBytes)
      return reply.send(
        isCompressed
          ? content
          : pipeline(content, createGunzip({ chunkSize: partBytes.compressed }), () => {}),
      )
    },
    /** Returns when a file was last built, and its size. Null before: it begins to build a file that never was. */
    lastBuilt(key: string, batches: Batches): Built | null {
      const last = built.get(key) ?? null
      if (last === null) find(key, batches).catch(() => {})
      return last
    },
    close() {
      for (const [key, kept] of files) drop(key, kept)
    },
  }
}

type Kept = { opened: Promise<File>; until: number }
type Built = { at: Date; bytes: number; textBytes: number }
type File = {
  handle: FileHandle
  /** Compressed, as far as it is written. */
  bytes: number
  textBytes: number
  isFinished: boolean
  /** Resolved with each growth; rejected when the build fails. */
  grown: PromiseWithResolvers<void>
  /** Milliseconds that the build took. */
  finished: Promise<number>
  /** The map, the build and each response. The last one closes it. */
  users: number
}

async function openNameless(): Promise<FileHandle> {
  const path = join(tmpdir(), `parvis-${randomUUID()}`)
  try {
    const handle = await open(path, 'wx+', 0o600)
    await unlink(path)
    return handle
  } catch (cause) {
    throw unavailable(new Error(`cannot write temporary files in ${tmpdir()}: set TMPDIR`, { cause }))
  }
}

type Batch = IteratorResult<string, unknown>

function write(handle: FileHandle, first: Batch, next: () => Promise<Batch>): File {
  const since = performance.now()
  const file: File = {
    ...{ handle, bytes: 0, textBytes: 0, isFinished: false, users: 2 },
    ...{ grown: Promise.withResolvers<void>(), finished: Promise.resolve(0) },
  }
  function grow() {
    const { resolve } = file.grown
    file.grown = Promise.withResolvers()
    resolve()
  }
  async function* texts() {
    for (let batch = first; !batch.done; batch = await next()) {
      const text = Buffer.from(batch.value)
      file.textBytes += text.length
      yield text
    }
  }
  async function append(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      await handle.write(chunk, 0, chunk.length, file.bytes)
      file.bytes += chunk.length
      grow()
    }
  }
  // Flushed after each batch: a response that waits for bytes is taken for one that nobody reads.
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH })
  file.finished = finishPipeline(texts, gzip, append)
    .then(
      () => {
        file.isFinished = true
        grow()
        return performance.now() - since
      },
      (error) => {
        file.grown.promise.catch(() => {})
        file.grown.reject(error)
        throw error
      },
    )
    .finally(() => leave(file))
  return file
}

function leave(file: File): void {
  file.users--
  if (file.users === 0) file.handle.close().catch(() => {})
}

async function* contentOf(file: File, partBytes: number, takeTurn: TakeTurn): AsyncGenerator<Buffer> {
  for (let at = 0; ; ) {
    const length = Math.min(partBytes, file.bytes - at)
    if (length > 0) {
      const position = at
      const read = () => file.handle.read(Buffer.allocUnsafe(length), 0, length, position)
      const { buffer, bytesRead } = await takeTurn(read)
      chargeTurn()
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    } else if (file.isFinished) return
    else await file.grown.promise
  }
}

function acceptsGzip({ headers }: FastifyRequest): boolean {
  const weights = new Map(weightsOf(String(headers['accept-encoding'] ?? '')))
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}

type TakeTurn = <T>(read: () => Promise<T>) => Promise<T>

/**
 * Runs one read at a time. After each, as much time passes as it took, and at least a millisecond: those who take turns use
 * less than half of a processor together.
 */
function inTurns(): TakeTurn {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(read: () => Promise<T>): Promise<T> => {
    let since = 0
    const turn = last.then(() => {
      since = performance.now()
      return read()
    })
    const pause = () => sleep(performance.now() - since)
    last = turn.then(pause, pause)
    return turn
  }
}

/** Lets at most `most` responses to an address run. Further ones get 429. */
export function placesPerAddress(most: number) {
  const taken = new Map<string, number>()
  return (address: string, response: ServerResponse): void => {
    if (response.destroyed) throw clientLeft()
    const others = taken.get(address) ?? 0
    if (others === most) throw rateLimited(retryAfterS)
    taken.set(address, others + 1)
    response.once('close', () => {
      const left = (taken.get(address) ?? 1) - 1
      if (left === 0) taken.delete(address)
      else taken.set(address, left)
    })
  }
}

const clientLeft = () => unavailable('the client left')
