import { inflateSync } from 'node:zlib'
import {
  type Dictionary,
  isDictionary,
  isName,
  isReference,
  isRegular,
  isSpace,
  Malformed,
  syntaxOf,
  type Value,
} from './syntax.ts'

/**
 * Reads all objects that any reader can find in a PDF, whatever its tables say: tables may lead into a string, a comment or a
 * stream, earlier versions are there too, and readers that repair a file search it. An object begins with `1 0 obj` or stands
 * in an object stream; trailers are read as well. Throws `Malformed` if one cannot be read whole.
 */
export function readObjects(file: Buffer, visit: (value: Value, number: number | null) => void): void {
  const syntax = syntaxOf(file)
  // Objects within strings of objects would be read again and again.
  let left = 4 * file.length + 2 ** 20
  const counted = <T>(at: number, result: T): T => {
    left -= syntax.position() - at
    if (left < 0) throw new Malformed('its objects contain each other')
    return result
  }
  const valueAt = (at: number) => counted(at, syntax.valueAt(at))
  const isWordAt = (at: number, word: string) => counted(at, syntax.isWordAt(at, word))
  const lengths = new Map<number, Set<number>>()
  const packed: Packed[] = []
  for (let at = file.indexOf('obj'); at !== -1; at = file.indexOf('obj', at + 3)) {
    const number = numberBefore(file, at)
    if (number === null) continue
    const value = valueAt(at + 3)
    visit(value, number)
    if (typeof value === 'number') lengths.set(number, (lengths.get(number) ?? new Set()).add(value))
    if (isDictionary(value) && isWordAt(syntax.position(), 'stream') && isObjectStream(value))
      packed.push({ dictionary: value, start: syntax.position() })
  }
  for (let at = file.indexOf('trailer'); at !== -1; at = file.indexOf('trailer', at + 7)) {
    if (isWordAt(at + 7, '<<')) visit(valueAt(at + 7), null)
  }
  let unpacked = 0
  for (const each of packed) {
    const content = contentOf(file, each, lengths)
    unpacked += content.length
    if (unpacked > maxUnpackedBytes) throw new Malformed('it unpacks to too much')
    readPacked(content, each.dictionary, visit)
  }
}

/** No object stream is as large once it is decompressed, nor all of a file, but bombs are. */
const maxObjectStreamBytes = 32 * 2 ** 20
const maxUnpackedBytes = 128 * 2 ** 20

/** Returns the number of the object that begins with the word `obj` here; null if none does. */
function numberBefore(file: Buffer, at: number): number | null {
  let end = at
  let number = 0
  for (let part = 0; part < 2; part++) {
    const before = end
    while (isSpace(file[end - 1])) end--
    if (hasComment(file, end, before)) throw new Malformed('a comment stands where no program writes one')
    let start = end
    while (isPartOfNumber(file[start - 1])) start--
    if (start === end || (part === 1 && end === before)) return null
    number = Number.parseInt(file.toString('latin1', start, end), 10)
    end = start
  }
  return number
}

const isPartOfNumber = (byte: number | undefined) =>
  byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || byte === 0x2b || byte === 0x2d || byte === 0x2e)

/** True if a comment may end in this white space. */
function hasComment(file: Buffer, from: number, to: number): boolean {
  if (!file.subarray(from, to).some((byte) => byte === 10 || byte === 13)) return false
  for (let at = from - 1; at >= 0 && file[at] !== 10 && file[at] !== 13; at--)
    if (file[at] === 0x25 && (!isRegular(file[at - 1]) || isPartOfNumber(file[at - 1]))) return true
  return false
}

type Packed = { dictionary: Dictionary; start: number }

/** Readers take any stream as object stream to which a table leads, whatever its type: it says where the first object is. */
const isObjectStream = ({ entries }: Dictionary) =>
  entries.some(
    ([key, value]) => key === 'First' || (key === 'Type' && isName(value) && value.name === 'ObjStm'),
  )

/**
 * Returns the content of an object stream. Programs compress it once, or not at all; whatever is written otherwise, or is not
 * as long as it says, is refused, as readers would not agree about it.
 */
function contentOf(file: Buffer, { dictionary, start }: Packed, lengths: Map<number, Set<number>>): Buffer {
  const { entries } = dictionary
  if (new Set(entries.map(([key]) => key)).size < entries.length) throw new Malformed('a key occurs twice')
  const values = Object.fromEntries(entries)
  if ('F' in values || 'DP' in values || !isPlain(values.DecodeParms)) throw unusual
  const lineEnd = file[start] === 13 ? 2 : 1
  if (file[start + lineEnd - 1] !== 10) throw unusual
  const from = start + lineEnd
  const region = file.subarray(from, Math.max(from, file.indexOf('endstream', from)))
  const length = lengthOf(values.Length, lengths)
  if (length > region.length || !isBlank(region.subarray(length))) throw unusual
  const filters = [values.Filter ?? []].flat()
  if (filters.length === 0) return region.subarray(0, length)
  const [filter] = filters
  if (filters.length > 1 || !isName(filter) || !['FlateDecode', 'Fl'].includes(filter.name)) throw unusual
  const { content, end } = inflated(region)
  if (end > length || !isBlank(region.subarray(end))) throw unusual
  return content
}

const unusual = new Malformed('an object stream is written in an unusual way')
const isBlank = (bytes: Buffer) => bytes.every((byte) => isSpace(byte))

/** Parameters may not change what is unpacked. */
const isPlain = (parameters: Value | undefined): boolean =>
  parameters === undefined ||
  parameters === null ||
  (Array.isArray(parameters) && parameters.every(isPlain)) ||
  (isDictionary(parameters) && parameters.entries.every(([key, value]) => key !== 'Predictor' || value === 1))

/** A length may stand in an object of its own. */
function lengthOf(value: Value | undefined, lengths: Map<number, Set<number>>): number {
  const [length, another] = isReference(value) ? (lengths.get(value.reference) ?? []) : [value]
  if (typeof length !== 'number' || another !== undefined) throw unusual
  return length
}

function inflated(region: Buffer): { content: Buffer; end: number } {
  try {
    const { buffer, engine } = inflateSync(region, {
      info: true,
      maxOutputLength: maxObjectStreamBytes,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } }
    return { content: buffer, end: engine.bytesWritten }
  } catch {
    throw new Malformed('an object stream cannot be unpacked')
  }
}

/** The content begins with pairs: the number of an object, and where it is. Some readers stop at the next one, others go on. */
function readPacked(content: Buffer, { entries }: Dictionary, visit: (value: Value, number: number) => void) {
  const { First: first, N: count } = Object.fromEntries(entries)
  if (typeof first !== 'number' || typeof count !== 'number' || count > content.length) throw unusual
  const syntax = syntaxOf(content)
  const pairs: { number: number; at: number }[] = []
  let position = 0
  for (let index = 0; index < count; index++) {
    const number = syntax.integerAt(position)
    const at = first + syntax.integerAt(syntax.position())
    position = syntax.position()
    pairs.push({ number, at })
  }
  if (position > first) throw unusual
  for (const [index, { number, at }] of pairs.entries()) {
    const next = pairs[index + 1]?.at ?? content.length
    const value = syntax.valueAt(at)
    if (syntax.position() > next) throw unusual
    visit(value, number)
  }
}
