import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** A file of the archive: its name there, and its content or the file that has it. */
export type Entry = { name: string; from: Buffer | string; isExecutable?: boolean }

/** Name of the file in the archive that lists the digests of all others, for `sha256sum -c`. */
export const sums = 'SHA256SUMS'

/**
 * Writes a .tar.gz and returns its digest. The same entries give the same bytes: names are sorted, each file
 * belongs to root and has the given time, and modes depend on `isExecutable` alone.
 */
export async function writeArchive(
  file: string,
  entries: Entry[],
  { folder, time }: { folder: string; time: number },
): Promise<string> {
  const digest = createHash('sha256')
  const noted = new Transform({
    transform(chunk, _encoding, done) {
      digest.update(chunk)
      done(null, chunk)
    },
  })
  await pipeline(
    Readable.from(blocksOf(entries, folder, time)),
    createGzip({ level: 9 }),
    noted,
    createWriteStream(file),
  )
  return digest.digest('hex')
}

async function* blocksOf(entries: Entry[], folder: string, time: number): AsyncGenerator<Buffer> {
  const lines: string[] = []
  for (const { name, from, isExecutable = false } of entries.toSorted(byName)) {
    const content = typeof from === 'string' ? await readFile(from) : from
    lines.push(`${createHash('sha256').update(content).digest('hex')}  ${name}\n`)
    yield* blocks(`${folder}/${name}`, content, isExecutable ? 0o755 : 0o644)
  }
  yield* blocks(`${folder}/${sums}`, Buffer.from(lines.join('')), 0o644)
  // Two empty blocks end an archive.
  yield Buffer.alloc(1024)

  function* blocks(name: string, content: Buffer, mode: number) {
    yield header(name, content.length, mode, time)
    yield content
    yield Buffer.alloc(-content.length & 511)
  }
}

const byName = (one: Entry, other: Entry) => (one.name < other.name ? -1 : 1)

/** A header of the format ustar (POSIX.1-1988): 512 bytes of text fields, each at a fixed place. */
function header(name: string, size: number, mode: number, time: number): Buffer {
  const block = Buffer.alloc(512)
  const [prefix, rest] = splitName(name)
  const put = (text: string, at: number) => block.write(text, at, 'utf8')
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  put(rest, 0)
  put(octal(mode, 7), 100)
  put(octal(0, 7), 108)
  put(octal(0, 7), 116)
  put(octal(size, 11), 124)
  put(octal(time, 11), 136)
  // The checksum counts its own field as spaces.
  put(' '.repeat(8), 148)
  put('0', 156)
  put('ustar\x0000', 257)
  put('root', 265)
  put('root', 297)
  put(prefix, 345)
  put(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
    148,
  )
  return block
}

/** Splits a long name at a slash: the header has 155 bytes for its beginning and 100 for the rest. */
function splitName(name: string): [prefix: string, rest: string] {
  if (Buffer.byteLength(name) <= 100) return ['', name]
  const at = name.indexOf('/', name.length - 101)
  const [prefix, rest] = [name.slice(0, at), name.slice(at + 1)]
  if (at < 1 || Buffer.byteLength(prefix) > 155 || Buffer.byteLength(rest) > 100)
    throw new Error(`The name ${name} is too long for an archive.`)
  return [prefix, rest]
}
