import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { StartError } from '../../config/start-error.ts'

/**
 * The backup format: a compressed sequence of records. Each is one line of JSON; `rows` is followed by the number of
 * bytes it states. The order is `backup`, then for each table `table` and its `rows`, then `sequence` and `secrets`
 * records, and last `end` with the digest of everything before it.
 */
export type BackupRecord =
  | { kind: 'backup'; made_at: string; version: string; migrations: Record<string, string>; jobs: number }
  | { kind: 'table'; name: string; columns: string[] }
  | { kind: 'rows'; bytes: Buffer }
  | { kind: 'sequence'; name: string; value: string; called: boolean }
  | { kind: 'secrets'; secrets: Record<string, string> }

/** Writes a temporary file, syncs it and renames it. Only its owner can read it: it contains secrets. */
export async function writeBackup(file: string, records: AsyncIterable<BackupRecord>): Promise<void> {
  const temporary = `${file}.half`
  try {
    const output = createWriteStream(temporary, { mode: 0o600, flags: 'wx', flush: true })
    await pipeline(bytesOf(records), createGzip({ level: 3 }), output)
    await refuseOverwriting(file)
    await rename(temporary, file)
    const folder = await open(dirname(file))
    await folder.sync().finally(() => folder.close())
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new StartError(
        `${temporary} already exists: another backup is writing it, or a failed one left it.`,
      )
    await rm(temporary, { force: true })
    if (code !== undefined && 'syscall' in (error as object))
      throw new StartError(`The backup cannot be written: ${message}.`)
    throw error
  }
}

export async function refuseOverwriting(file: string): Promise<void> {
  const there = await open(file).catch(() => null)
  await there?.close()
  if (there !== null) throw new StartError(`${file} already exists: give the backup another name.`)
}

async function* bytesOf(records: AsyncIterable<BackupRecord>): AsyncGenerator<Buffer> {
  const digest = createHash('sha256')
  for await (const record of records) {
    const { bytes, ...rest } = record.kind === 'rows' ? record : { ...record, bytes: null }
    const line = Buffer.from(`${JSON.stringify(bytes === null ? rest : { ...rest, bytes: bytes.length })}\n`)
    for (const part of bytes === null ? [line] : [line, bytes]) {
      digest.update(part)
      yield part
    }
  }
  yield Buffer.from(`${JSON.stringify({ kind: 'end', sha256: digest.digest('hex') })}\n`)
}

/**
 * Reads the records. Throws when the file is truncated, altered or not a backup; the caller must then discard what it
 * has read.
 */
export async function* readBackup(file: string): AsyncGenerator<BackupRecord> {
  try {
    const input = createReadStream(file)
    const unzipped = createGunzip()
    input.on('error', (error) => unzipped.destroy(error))
    yield* recordsOf(input.pipe(unzipped))
  } catch (error) {
    if (error instanceof StartError) throw error
    const { message, syscall, code } = error as NodeJS.ErrnoException
    if (syscall !== undefined) throw new StartError(`The backup ${file} cannot be read (${code}).`)
    throw new StartError(`${file} is not a complete backup (${message}).`)
  }
}

async function* recordsOf(unzipped: Readable): AsyncGenerator<BackupRecord> {
  const digest = createHash('sha256')
  const take = takerOf(unzipped)
  for (let isFirst = true; ; isFirst = false) {
    const line = await take.line()
    const record = recordOf(line)
    if (isFirst && record.kind !== 'backup') throw new Error('it does not begin as one')
    if (record.kind === 'end') {
      if (record.sha256 !== digest.digest('hex')) throw new Error('its digest is not that of its content')
      if (!(await take.isAtEnd())) throw new Error('something comes after its end')
      return
    }
    digest.update(line)
    if (record.kind === 'rows') {
      record.bytes = await take.bytes(record.bytes)
      digest.update(record.bytes)
    }
    yield record
  }
}

function recordOf(line: Buffer) {
  try {
    return JSON.parse(line.toString())
  } catch {
    throw new Error('a part of it was changed')
  }
}

/** Reads lines and counted bytes from a stream whose chunks have any size. */
function takerOf(stream: Readable) {
  const pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let held: Buffer = Buffer.alloc(0)
  async function more(): Promise<boolean> {
    const { value, done } = await pieces.next()
    if (!done) held = held.length === 0 ? value : Buffer.concat([held, value])
    return !done
  }
  async function bytes(count: number): Promise<Buffer> {
    while (held.length < count) if (!(await more())) throw new Error('it ends in the middle')
    const taken = held.subarray(0, count)
    held = held.subarray(count)
    return taken
  }
  return {
    bytes,
    async line(): Promise<Buffer> {
      for (let from = 0; ; ) {
        const end = held.indexOf(0x0a, from)
        if (end >= 0) return bytes(end + 1)
        from = held.length
        if (!(await more())) throw new Error('it ends in the middle')
      }
    },
    isAtEnd: async () => held.length === 0 && !(await more()),
  }
}
