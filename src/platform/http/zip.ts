import { crc32 } from 'node:zlib'

/** A file of an archive: its name, in ASCII, and a way to read its bytes, which is called twice. */
export type ZipEntry = { name: string; read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array> }

/** 1 January 1980, where the time of a ZIP archive begins: the same content gives the same bytes. */
const firstDay = 0x21

/**
 * Writes a ZIP archive as it is read, without compression, always the same bytes for the same entries. Of each entry the first
 * reading finds the size and checksum, which stand before its bytes: whoever unpacks a stream needs them there.
 */
export async function* zipOf(entries: readonly ZipEntry[]): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, read } of entries) {
    let [checksum, size] = [0, 0]
    for await (const chunk of read()) {
      checksum = crc32(chunk, checksum)
      size += chunk.length
    }
    const described = describe(name, checksum, size)
    const header = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), described, Buffer.from(name)])
    directory.push(inDirectory(described, name, offset))
    yield header
    for await (const chunk of read()) yield Buffer.from(chunk)
    offset += header.length + size
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  yield Buffer.concat([list, end])
}

/** The fields that both headers of an entry share. */
function describe(name: string, checksum: number, size: number): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(10, 0)
  fields.writeUInt16LE(firstDay, 8)
  fields.writeUInt32LE(checksum, 10)
  fields.writeUInt32LE(size, 14)
  fields.writeUInt32LE(size, 18)
  fields.writeUInt16LE(name.length, 22)
  return fields
}

function inDirectory(described: Buffer, name: string, offset: number): Buffer {
  const start = Buffer.alloc(6)
  start.write('PK\x01\x02', 'latin1')
  start.writeUInt16LE(10, 4)
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(offset, 10)
  return Buffer.concat([start, described, rest, Buffer.from(name)])
}
