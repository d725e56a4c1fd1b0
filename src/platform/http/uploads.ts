import { createHash, hash, randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyReply, FastifyRequest, LogLevel } from 'fastify'
import { ApiError, malformedRequest, payloadTooLarge, unavailable, unsupportedMediaType } from '../errors.ts'
import type { HttpServer, SignedInScope } from './http-server.ts'
import { uploadBytes } from './route-table.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The part named `file`; null until it has arrived, and where the body has none. */
    upload: Upload | null
  }
}

/** The level at which a route that takes uploads logs: the parser of forms writes all headers into the log, at the lowest alone. */
export const uploadLogLevel = ({ level }: { level: string }): LogLevel =>
  level === 'trace' ? 'debug' : (level as LogLevel)

/** A received file on disk, which disappears with its request. */
export type Upload = { bytes: number; read(): Promise<Buffer> }

/** Limit for all files that wait to be handled, on a disk that may be small or in memory. */
const maxTotalBytes = 512 * 2 ** 20
const limits = { files: 1, fields: 20, parts: 21, fieldSize: 10_000, fieldNameSize: 100, headerPairs: 20 }

let totalBytes = 0

/**
 * Makes the routes of a scope whose load is an upload read `multipart/form-data`. Their body has its fields, as text, and the
 * name of the file as `file`; the schema of the route says which of them are true or false. The file itself is
 * `request.upload`. It has no name on disk: when the process is killed in the middle, nothing is left.
 */
export function acceptUploads(scope: SignedInScope): void {
  const server = scope as unknown as HttpServer
  server.register(multipart)
  server.decorateRequest('upload', null)
  server.addHook('preValidation', async (request, reply) => {
    if (!request.isMultipart()) return
    const maxBytes = uploadBytes(request.routeOptions.config)
    if (maxBytes === null) throw unsupportedMediaType()
    await receive(request, reply, maxBytes).catch((error) => {
      throw refusalOf(error)
    })
  })
}

async function receive(request: FastifyRequest, reply: FastifyReply, maxBytes: number): Promise<void> {
  const fields: Record<string, unknown> = Object.create(null)
  const add = (name: string, value: unknown) => {
    // A repeated field fits no schema.
    fields[name] = name in fields ? [fields[name], value] : value
  }
  const isFlag = flagsOf(request)
  let digest = ''
  for await (const part of request.parts({ limits: { ...limits, fileSize: maxBytes } })) {
    if (part.type === 'field') add(part.fieldname, isFlag(part.fieldname, part.value))
    else {
      add(part.fieldname, part.filename)
      const stored = await store(part.file, reply)
      digest = stored.digest
      if (part.fieldname === 'file') request.upload = stored
    }
  }
  request.body = fields
  // The bytes of the body differ each time a browser sends the same form.
  request.bodyDigest = hash('sha256', JSON.stringify([Object.entries(fields).sort(), digest]), 'base64url')
}

/** Text has no types: a field that the schema calls boolean is one if it says `true` or `false`. */
function flagsOf({ routeOptions }: FastifyRequest) {
  const { properties = {} } = (routeOptions.schema?.body ?? {}) as {
    properties?: Record<string, { type?: unknown }>
  }
  return (name: string, value: unknown) =>
    properties[name]?.type === 'boolean' && (value === 'true' || value === 'false') ? value === 'true' : value
}

/** Writes a file to disk until its request ends. */
async function store(content: Readable, reply: FastifyReply): Promise<Upload & { digest: string }> {
  const path = join(tmpdir(), `parvis-upload-${randomUUID()}`)
  const handle = await open(path, 'wx+', 0o600)
  let bytes = 0
  const discard = () => {
    totalBytes -= bytes
    bytes = 0
    handle.close().catch(() => undefined)
  }
  reply.raw.once('close', discard)
  await unlink(path)
  const hashed = createHash('sha256')
  for await (const chunk of content as AsyncIterable<Buffer>) {
    bytes += chunk.length
    totalBytes += chunk.length
    if (totalBytes > maxTotalBytes) throw unavailable('too many uploads wait on disk', 30)
    hashed.update(chunk)
    await handle.appendFile(chunk)
  }
  return { bytes, digest: hashed.digest('base64url'), read: () => readWhole(handle, bytes) }
}

async function readWhole(handle: FileHandle, bytes: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(bytes)
  await handle.read(whole, 0, bytes, 0)
  return whole
}

/** Returns what a client is told about a body that cannot be read; the disk may be full. */
function refusalOf(error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (code === 'FST_REQ_FILE_TOO_LARGE') return payloadTooLarge()
  if (error instanceof ApiError) return error
  return syscall === undefined ? malformedRequest({ cause: error }) : unavailable(error)
}
