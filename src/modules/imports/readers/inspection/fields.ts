import { clip, oneLine } from '../../../../platform/formats/text.ts'
import { rowsOf } from '../csv.ts'
import { textOf } from '../json.ts'
import type { Field } from './mapping.ts'

const maxFields = 80
const maxItems = 20
const longestName = 200

/** Returns the columns of a table. Its header is the first row with two names: a title has one. */
export async function columnsOf(text: string): Promise<Field[]> {
  let header: string[] | null = null
  const examples = new Map<string, string>()
  let count = 0
  for await (const row of rowsOf(text)) {
    if (header === null) {
      if (row.filter((name) => name.trim() !== '').length < 2) continue
      header = row.slice(0, maxFields).map((name) => name.trim())
      continue
    }
    for (const [place, name] of header.entries()) put(examples, name, row[place])
    if (++count === maxItems) break
  }
  return [...new Set(header ?? [])]
    .filter(isName)
    .map((name) => ({ name, example: examples.get(name) ?? null }))
}

/** Finds the list of items in a document: itself, or the longest list of objects below it. */
export function listIn(document: unknown): { path: string | undefined; list: object[] } | null {
  if (Array.isArray(document)) return asItems(document, undefined)
  let best: { path: string | undefined; list: object[] } | null = null
  for (const { path, value } of below(document, '', 3)) {
    const found = Array.isArray(value) ? asItems(value, path) : null
    if (found !== null && found.list.length > (best?.list.length ?? 0)) best = found
  }
  return best
}

function asItems(values: unknown[], path: string | undefined) {
  const list = values.filter((value) => typeof value === 'object' && value !== null && !Array.isArray(value))
  return list.length > 0 && list.length === values.length ? { path, list: list as object[] } : null
}

/** Returns the paths of texts in the first items. */
export function pathsOf(list: object[]): Field[] {
  const fields = new Map<string, string | null>()
  for (const item of list.slice(0, maxItems))
    for (const { path, value } of below(item, '', 3)) {
      if (typeof value === 'object' && value !== null) continue
      if (fields.size >= maxFields && !fields.has(path)) continue
      fields.set(path, fields.get(path) ?? exampleOf(textOf(value)))
    }
  return [...fields].map(([name, example]) => ({ name, example }))
}

type Place = { path: string; value: unknown }

/** Yields the values below an object, level by level; of a list only the first ones. */
function* below(value: unknown, path: string, levels: number): Generator<Place> {
  if (typeof value !== 'object' || value === null || levels === 0) return
  const entries = Array.isArray(value)
    ? Object.entries(value.slice(0, 2))
    : Object.entries(value).slice(0, 200)
  for (const [key, inner] of entries) {
    const at = path === '' ? key : `${path}.${key}`
    // A path cannot name a key with a dot.
    if (key.includes('.') || !isName(at)) continue
    yield { path: at, value: inner }
    yield* below(inner, at, levels - 1)
  }
}

const isName = (name: string) =>
  name !== '' &&
  name.length <= longestName &&
  oneLine(name) === name &&
  name.isWellFormed() &&
  !name.includes('\0')

function put(examples: Map<string, string>, name: string, value: string | undefined): void {
  const example = exampleOf(value ?? null)
  if (example !== null && !examples.has(name)) examples.set(name, example)
}

function exampleOf(value: string | null): string | null {
  const text = oneLine(
    clip(value ?? '', 2_000)
      .toWellFormed()
      .replaceAll('\0', ''),
  )
  return text === '' ? null : clip(text, 200)
}
