import type { Mapping } from '../schema.ts'
import { parseJson } from './document.ts'
import type { FoundItem } from './item.ts'
import { ReadFailed } from './read-failed.ts'

/** Reads the items of a list by the paths of the mapping. */
export function readJson(text: string, { items, ...paths }: Mapping): Iterable<FoundItem> {
  const document = parseJson(text)
  const list = items === undefined ? document : valueAt(document, items)
  if (!Array.isArray(list))
    throw new ReadFailed(items === undefined ? 'It is not a list.' : 'mapping.items does not lead to a list.')
  return itemsOf(list, paths)
}

function* itemsOf(list: unknown[], paths: Omit<Mapping, 'items'>): Generator<FoundItem> {
  for (const item of list) {
    const found = Object.entries(paths).map(([name, path]) => [name, textOf(valueAt(item, path))])
    yield { external_id: null, title: null, body: null, ...Object.fromEntries(found) }
  }
}

/** Reads own properties only: `constructor` is not found. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** Returns null for a list or an object. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}
