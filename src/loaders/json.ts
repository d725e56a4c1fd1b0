import { StartError } from '../platform/config/start-error.ts'
import type { Run } from './run.ts'

export type Element = { where: string; value: unknown }

const longestElement = 8_000_000

/**
 * Yields the elements of a JSON list one at a time and counts them. The list is the file itself, or its
 * `service` or `results`. Only the current element is in memory.
 */
export async function* jsonElements(input: AsyncIterable<Uint8Array>, run: Run): AsyncGenerator<Element> {
  const splitter = createSplitter()
  for await (const text of decoded(input)) {
    for (const { source, line, number } of splitter.push(text)) {
      const where = `line ${line}, record ${number}`
      const value = parse(source)
      run.counts.read++
      if (run.counts.read % 1_000 === 0) run.step()
      if (value === undefined) run.refuse(where, 'it is not JSON')
      else yield { where, value }
    }
  }
  if (!splitter.listSeen()) throw notAList()
  if (!splitter.listClosed()) throw new StartError('The file ends in the middle of its list: get it whole.')
}

async function* decoded(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of input) yield decoder.decode(chunk, { stream: true })
    decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new StartError('The file is not text in UTF-8.')
    throw error
  }
}

function parse(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}

const notAList = () =>
  new StartError('The file is not a JSON list, nor an object with a list named service or results.')

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type Piece = { source: string; line: number; number: number }

/** Splits at the commas of the list, tracking strings and depth only; JSON.parse validates each piece. */
function createSplitter() {
  let depth = 0
  let listDepth = 0
  let closed = false
  let inString = false
  let escaped = false
  let unread = ''
  let line = 1
  let begunAt = 0
  let number = 0

  function inside(char: number): void {
    if (escaped) escaped = false
    else if (char === backslash) escaped = true
    else if (char === quote) inString = false
  }

  /** Returns whether this bracket or comma ends an element or opens the list; `before` is the text before. */
  function divides(char: number, before: () => string): boolean {
    const atElements = listDepth > 0 && depth === listDepth
    if (char === comma) return atElements
    if (char === close.list || char === close.object) {
      depth--
      closed = atElements
      return atElements
    }
    const opens = listDepth === 0 && char === open.list && leadsToList(depth, before())
    depth++
    if (opens) listDepth = depth
    return opens
  }

  function push(text: string): Piece[] {
    const pieces: Piece[] = []
    let from = 0
    for (let at = 0; at < text.length && !closed; at++) {
      const char = text.charCodeAt(at)
      if (char === newline) line++
      if (depth === 0 && char > space && char !== open.list && char !== open.object) throw notAList()
      if (inString) inside(char)
      else if (char === quote) inString = true
      else if (marks.has(char)) {
        const inList = listDepth > 0
        if (divides(char, () => unread + text.slice(from, at))) {
          const source = unread + text.slice(from, at)
          if (inList && source.trim() !== '') pieces.push({ source, line: begunAt, number: ++number })
          unread = ''
          from = at + 1
          begunAt = 0
          continue
        }
      }
      if (begunAt === 0 && char > space) begunAt = line
    }
    unread += text.slice(from)
    // Before the list, only the last characters matter; after it, none do.
    if (listDepth === 0) unread = unread.slice(-100)
    if (closed) unread = ''
    if (unread.length > longestElement)
      throw new StartError(`The record at line ${begunAt} has no end: the file is damaged.`)
    return pieces
  }

  return { push, listSeen: () => listDepth > 0, listClosed: () => closed }
}

const [newline, space, quote, comma, backslash] = [10, 32, 34, 44, 92]
const open = { list: 91, object: 123 }
const close = { list: 93, object: 125 }
const marks = new Set([comma, open.list, open.object, close.list, close.object])

function leadsToList(depth: number, before: string): boolean {
  return depth === 0 || (depth === 1 && /"(service|results)"\s*:\s*$/.test(before))
}
