import { raise } from '../../../../platform/errors.ts'

/**
 * The syntax of PDF, strictly: readers repair what is malformed, each in its own way, so that one would see another document
 * than the other. What is malformed is refused instead.
 */

export type Name = { name: string }
/** A string, one character a byte. */
export type Text = { text: string }
export type Reference = { reference: number }
/** In their order: a key that occurs twice means either value, by the reader. */
export type Dictionary = { entries: [key: string, value: Value][] }
export type Value = number | boolean | null | Name | Text | Reference | Dictionary | Value[]

export const isName = (value: Value | undefined): value is Name => isObject(value) && 'name' in value
export const isText = (value: Value | undefined): value is Text => isObject(value) && 'text' in value
export const isReference = (value: Value | undefined): value is Reference =>
  isObject(value) && 'reference' in value
export const isDictionary = (value: Value | undefined): value is Dictionary =>
  isObject(value) && 'entries' in value
const isObject = (value: Value | undefined): value is Name | Text | Reference | Dictionary =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The file is not written as the standard says. */
export class Malformed extends Error {}

/** No program nests so deeply; a parser that calls itself would run out of stack. */
const maxDepth = 100

const classOf = new Uint8Array(256)
const [regular, space, delimiter] = [0, 1, 2]
for (const byte of [0, 9, 10, 12, 13, 32]) classOf[byte] = space
for (const character of '()<>[]{}/%') classOf[character.charCodeAt(0)] = delimiter
export const isSpace = (byte: number | undefined) => byte !== undefined && classOf[byte] === space
export const isRegular = (byte: number | undefined) => byte !== undefined && classOf[byte] === regular

export type Syntax = {
  /** Reads the value that begins here, behind white space and comments. */
  valueAt(start: number): Value
  /** Reads a whole number that is not negative. */
  integerAt(start: number): number
  /** Where the last reading ended. */
  position(): number
  /** Whether this is the word here, behind white space and comments. */
  isWordAt(start: number, word: string): boolean
}

/** The parts of values. Each reads on from `at`. */
type Tokens = { at: number }

function skipSpace(bytes: Buffer, tokens: Tokens): void {
  let { at } = tokens
  for (;;) {
    while (isSpace(bytes[at])) at++
    if (bytes[at] !== 0x25) break
    while (at < bytes.length && bytes[at] !== 10 && bytes[at] !== 13) at++
  }
  tokens.at = at
}

function readWord(bytes: Buffer, tokens: Tokens): string {
  const start = tokens.at
  let at = start
  while (isRegular(bytes[at])) at++
  tokens.at = at
  return bytes.toString('latin1', start, at)
}

/** Reads a whole number, as most values are; null if something else is here. `at` is then the same. */
function readInteger(bytes: Buffer, tokens: Tokens): number | null {
  let { at } = tokens
  let result = 0
  for (let byte = bytes[at] ?? 0; byte >= 0x30 && byte <= 0x39; byte = bytes[++at] ?? 0)
    result = result * 10 + byte - 0x30
  if (at === tokens.at || isRegular(bytes[at])) return null
  tokens.at = at
  return result
}

function readName(bytes: Buffer, tokens: Tokens): string {
  tokens.at++
  const written = readWord(bytes, tokens)
  if (!written.includes('#')) return written
  if (/#(?![0-9a-f]{2})/i.test(written)) throw new Malformed('a name has a # without a number')
  return written.replace(/#(..)/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

function readText(bytes: Buffer, tokens: Tokens): string {
  const start = tokens.at + 1
  let at = start
  for (let open = 1; open > 0; at++) {
    const byte = bytes[at]
    if (byte === undefined) throw new Malformed('a string has no end')
    if (byte === 0x5c) at++
    else if (byte === 0x28) open++
    else if (byte === 0x29) open--
  }
  tokens.at = at
  return unescaped(bytes.toString('latin1', start, at - 1))
}

function readHexadecimal(bytes: Buffer, tokens: Tokens): string {
  const start = tokens.at + 1
  const end = bytes.indexOf(0x3e, start)
  if (end === -1) throw new Malformed('a string has no end')
  const digits = bytes.toString('latin1', start, end).replaceAll(/[\0\t\n\f\r ]/g, '')
  if (/[^0-9a-f]/i.test(digits)) throw new Malformed('a string is not hexadecimal')
  tokens.at = end + 1
  return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex').toString('latin1')
}

export function syntaxOf(bytes: Buffer): Syntax {
  const tokens = { at: 0 }

  function value(depth: number): Value {
    if (depth > maxDepth) throw new Malformed('it nests too deeply')
    skipSpace(bytes, tokens)
    switch (bytes[tokens.at]) {
      case 0x2f:
        return { name: readName(bytes, tokens) }
      case 0x28:
        return { text: readText(bytes, tokens) }
      case 0x5b:
        return array(depth)
      case 0x3c:
        if (bytes[tokens.at + 1] === 0x3c) return dictionary(depth)
        return { text: readHexadecimal(bytes, tokens) }
      default:
        return numberOrWord()
    }
  }

  function array(depth: number): Value[] {
    tokens.at++
    const values: Value[] = []
    for (;;) {
      skipSpace(bytes, tokens)
      if (bytes[tokens.at] === 0x5d) break
      values.push(value(depth + 1))
    }
    tokens.at++
    return values
  }

  function dictionary(depth: number): Dictionary {
    tokens.at += 2
    const entries: Dictionary['entries'] = []
    for (;;) {
      skipSpace(bytes, tokens)
      if (bytes[tokens.at] === 0x3e && bytes[tokens.at + 1] === 0x3e) break
      if (bytes[tokens.at] !== 0x2f) throw new Malformed('a key is not a name')
      entries.push([readName(bytes, tokens), value(depth + 1)])
    }
    tokens.at += 2
    return { entries }
  }

  function numberOrWord(): Value {
    const whole = readInteger(bytes, tokens)
    if (whole !== null) return referenceOr(whole)
    const first = readWord(bytes, tokens)
    if (first === 'null') return null
    if (first === 'true' || first === 'false') return first === 'true'
    if (!/^[+-]*\d*\.?[\d-]*$/.test(first) || !/\d/.test(first)) throw new Malformed('a word has no meaning')
    return Number.parseFloat(first)
  }

  /** Two whole numbers and an R refer to an object. */
  function referenceOr(first: number): Value {
    const behind = tokens.at
    skipSpace(bytes, tokens)
    if (readInteger(bytes, tokens) !== null) {
      skipSpace(bytes, tokens)
      if (bytes[tokens.at] === 0x52 && !isRegular(bytes[tokens.at + 1])) {
        tokens.at++
        return { reference: first }
      }
    }
    tokens.at = behind
    return first
  }

  return {
    valueAt(start) {
      tokens.at = start
      return value(0)
    },
    integerAt(start) {
      tokens.at = start
      skipSpace(bytes, tokens)
      return readInteger(bytes, tokens) ?? raise(new Malformed('a number is missing'))
    },
    position: () => tokens.at,
    isWordAt(start, wanted) {
      tokens.at = start
      skipSpace(bytes, tokens)
      if (bytes.toString('latin1', tokens.at, tokens.at + wanted.length) !== wanted) return false
      tokens.at += wanted.length
      return true
    },
  }
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

const unescaped = (written: string) =>
  written.includes('\\')
    ? written.replace(/\\(?:([0-7]{1,3})|(\r\n?|\n)|([\s\S]))/g, (_all, octal, end, other) => {
        if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255)
        return end === undefined ? (escapes[other] ?? other) : ''
      })
    : written
