import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { PlacedRow } from '../seals/queries.ts'

/** The entries of one seal, in their order. */
export type SealedRows = { seal: number; rows: PlacedRow[] }

/** The format that is written; entries of the first lack their acteur. */
const format = 'parvis audit archive 2'
const formats = ['parvis audit archive 1', format]

/**
 * Writes entries into a compressed file: one line for the format, then for each seal a line with its number and a line
 * for each entry. The file has its name only once all of it is on the disk.
 */
export async function writeArchive(file: string, seals: AsyncIterable<SealedRows>): Promise<void> {
  const part = `${file}.part`
  await rm(part, { force: true })
  // Only the operator reads it, whatever the umask.
  const handle = await open(part, 'wx', 0o600)
  await pipeline(Readable.from(linesOf(seals)), createGzip(), handle.createWriteStream({ flush: true }))
  await rename(part, file)
  await syncFolder(dirname(file))
}

async function* linesOf(seals: AsyncIterable<SealedRows>): AsyncGenerator<string> {
  yield `${JSON.stringify({ format })}\n`
  for await (const { seal, rows } of seals)
    yield [{ seal }, ...rows.map(({ seq, id, values }) => [seq, id, ...values])]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('')
}

/** Makes a rename durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

/** Reads an archive seal by seal. Throws if it is no archive, or does not end as it was written. */
export async function* readArchive(file: string): AsyncGenerator<SealedRows> {
  const source = createReadStream(file)
  const unzipped = createGunzip()
  const failed = new Promise<never>((_, reject) => source.on('error', reject))
  failed.catch(() => {})
  source.on('error', (error) => unzipped.destroy(error)).pipe(unzipped)
  let current: SealedRows | null = null
  let isFirst = true
  for await (const text of createInterface({ input: unzipped, crlfDelay: Number.POSITIVE_INFINITY })) {
    const line = JSON.parse(text)
    if (isFirst) {
      if (!formats.includes(line?.format)) throw new Error('not an archive of the audit log')
      isFirst = false
    } else if (Array.isArray(line)) {
      const [seq, id, ...values] = line
      current?.rows.push({ seq, id, values })
    } else {
      if (current !== null) yield current
      current = { seal: line.seal, rows: [] }
    }
  }
  if (isFirst) throw new Error('not an archive of the audit log')
  if (current !== null) yield current
}

export async function digestOf(file: string): Promise<Buffer> {
  const sha256 = createHash('sha256')
  await pipeline(createReadStream(file), sha256)
  return sha256.digest()
}
