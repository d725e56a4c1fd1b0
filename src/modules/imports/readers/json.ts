import type { Mapping } from '../schema.ts'
import { parseJson } from './document.ts'
import type { FoundItem } from './item.ts'
import { ReadFailed } from './read-failed.ts'

/** The items of a list, their fields found by paths. */
export function readJson(text: string, { items, ...paths }: Mapping): Iterable<FoundItem> {
  const document = parseJson(text)
  const list = items === undefined ? document : valueAt(document, items)
  if (!Array.isArray(list))
    throw new ReadFailed(
      items === undefined ? 'It is no list.' : 'There is no list where mapping.items leads.',
    )
  return itemsOf(list, paths)
}

function* itemsOf(list: unknown[], paths: Omit<Mapping, 'items'>): Generator<FoundItem> {
  for (const item of list) {
    const found = Object.entries(paths).map(([name, path]) => [name, textOf(valueAt(item, path))])
    yield { external_id: null, title: null, body: null, ...Object.fromEntries(found) }
  }
}

/** Only what the document itself has: `constructor` leads nowhere. */
export function valueAt(document: unknown, path: string): unknown {
  let value = document
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** A list or an object is no text. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null
}
