import { createHash } from 'node:crypto'
import { AwsClient } from 'aws4fetch'
import { type Config, settingsOf } from '../../../platform/config/config.ts'
import { createSlots } from '../../../platform/slots.ts'
import { mediaSettings } from '../settings.ts'
import type { StorePlace } from './place.ts'

/** An object as its row describes it: how long it is, and the digest of each of its pieces. */
export type StoredObject = { id: string; bytes: number; digests: string[] }
type Part = { first: number; length: number }

/** A store of objects that speaks S3. Everything it returns is checked; it throws `StoreFailed`, in time. */
export type ObjectStore = {
  /** Writes an object, reads it back and compares. */
  put(object: StoredObject, content: Buffer): Promise<void>
  /** Reads a part of an object, by default all of it. */
  read(object: StoredObject, part?: Part): Promise<Buffer>
  /** Deletes an object. One that does not exist is deleted already. */
  delete(id: string): Promise<void>
}

export class StoreFailed extends Error {
  /** `missing`: the object does not exist. `wrong`: its bytes are others. */
  readonly reason: 'missing' | 'wrong' | 'unavailable'
  constructor(reason: StoreFailed['reason'], what: string) {
    super(`The store of MEDIA_URL ${what}.`)
    this.reason = reason
  }
}

export const pieceBytes = 512 * 1_024

/** Returns the digests of the pieces of some bytes. */
export const digestsOf = (content: Uint8Array): string[] =>
  Array.from({ length: Math.ceil(content.byteLength / pieceBytes) }, (_, index) =>
    createHash('sha256')
      .update(content.subarray(index * pieceBytes, (index + 1) * pieceBytes))
      .digest('hex'),
  )

/** So many reads are in memory at a time; the others wait, until their deadline. */
const maxReads = 32
/** After so many failures one after the other, reads are refused for a while without asking. */
const maxFailures = 5
const pauseMs = 2_000

type Times = { readMs?: number; writeMs?: number }
type Sent = { part?: Part | undefined; body?: Buffer; maxBytes: number; signal: AbortSignal }

export function createObjectStore(
  place: StorePlace,
  { readMs = 5_000, writeMs = 30_000 }: Times = {},
): ObjectStore {
  const { endpoint, bucket, prefix, ...credentials } = place
  // It retries nothing: whoever waits has a deadline.
  const client = new AwsClient({ ...credentials, service: 's3', retries: 0 })
  const slots = createSlots(maxReads)
  let failures = 0
  let refusedUntil = 0

  async function send(method: string, id: string, { part, body, maxBytes, signal }: Sent) {
    const headers: Record<string, string> = {}
    if (body !== undefined) headers['x-amz-content-sha256'] = createHash('sha256').update(body).digest('hex')
    if (part !== undefined) headers.range = `bytes=${part.first}-${part.first + part.length - 1}`
    try {
      const url = `${endpoint}/${bucket}/${prefix}${id}`
      const request = await client.sign(url, {
        ...{ method, headers, signal, redirect: 'error' },
        ...(body !== undefined && { body: new Uint8Array(body) }),
      })
      const response = await fetch(request)
      return { status: response.status, content: await readBody(response, maxBytes) }
    } catch (error) {
      if (error instanceof StoreFailed) throw error
      throw new StoreFailed(
        'unavailable',
        signal.aborted ? 'did not respond in time' : `failed: ${causeOf(error)}`,
      )
    }
  }

  async function readNow(object: StoredObject, wanted: Part, signal: AbortSignal): Promise<Buffer> {
    const { bytes, digests } = object
    const firstPiece = Math.floor(wanted.first / pieceBytes)
    const first = firstPiece * pieceBytes
    const end = Math.min(bytes, Math.ceil((wanted.first + wanted.length) / pieceBytes) * pieceBytes)
    const length = end - first
    const part = length < bytes ? { first, length } : undefined
    const { status, content } = await send('GET', object.id, { part, maxBytes: length, signal })
    if (status === 404) throw new StoreFailed('missing', `does not have ${object.id}`)
    if (status !== 200 && status !== 206) throw new StoreFailed('unavailable', `returned ${status}`)
    const isRight =
      content.length === length &&
      digestsOf(content).every((digest, index) => digest === digests[firstPiece + index])
    if (!isRight) throw new StoreFailed('wrong', `returned other bytes for ${object.id}`)
    return content.subarray(wanted.first - first, wanted.first - first + wanted.length)
  }

  async function read(object: StoredObject, part = { first: 0, length: object.bytes }): Promise<Buffer> {
    if (performance.now() < refusedUntil)
      throw new StoreFailed('unavailable', 'has just failed several times')
    const signal = AbortSignal.timeout(readMs + Math.ceil(part.length / 1_000))
    await slots.take(signal).catch(() => {
      throw new StoreFailed('unavailable', 'is too slow for all that is read from it')
    })
    try {
      const content = await readNow(object, part, signal)
      failures = 0
      return content
    } catch (error) {
      if (error instanceof StoreFailed && error.reason === 'unavailable' && ++failures >= maxFailures)
        refusedUntil = performance.now() + pauseMs
      throw error
    } finally {
      slots.release()
    }
  }

  return {
    read,
    async put(object, content) {
      const signal = AbortSignal.timeout(writeMs)
      const { status } = await send('PUT', object.id, { body: content, maxBytes: maxAnswer, signal })
      if (status !== 200) throw new StoreFailed('unavailable', `returned ${status}`)
      await readNow(object, { first: 0, length: object.bytes }, signal)
    },
    async delete(id) {
      const signal = AbortSignal.timeout(readMs)
      const { status } = await send('DELETE', id, { maxBytes: maxAnswer, signal })
      if (![200, 204, 404].includes(status)) throw new StoreFailed('unavailable', `returned ${status}`)
    },
  }
}

/** What a store says of a write or an error is not read to its end. */
const maxAnswer = 64 * 1_024

/** Reads the body of a response, at most so many bytes: what is longer is cut one byte later, as bytes that are wrong. */
async function readBody({ body, ok }: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length > (ok ? maxBytes : maxAnswer)) break
  }
  return Buffer.concat(chunks)
}

function causeOf(error: unknown): string {
  const { cause = error } = error as { cause?: { code?: string; message?: string } }
  return String((cause as { code?: string }).code ?? (cause as Error).message)
}

const stores = new WeakMap<Config, ObjectStore>()

/** Returns the store of a service, which all its reads share; null without `MEDIA_URL`. */
export function storeOf(config: Config): ObjectStore | null {
  const { place } = settingsOf(config, mediaSettings)
  if (place === null) return null
  const store = stores.get(config) ?? createObjectStore(place)
  stores.set(config, store)
  return store
}
