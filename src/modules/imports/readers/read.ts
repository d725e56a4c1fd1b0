import { raise } from '../../../platform/errors.ts'
import { readText } from '../../../platform/fetch/read-text.ts'
import type { Mapping, SourceType } from '../schema.ts'
import { type FoundItem, normalise, type ReadItem } from './item.ts'
import { ReadFailed } from './read-failed.ts'

/** A downloaded part: one document or one of its pages. */
export type Part = { body: Uint8Array; contentType: string | null }
export type ReadInput = {
  type: SourceType
  mapping: Mapping | null
  /** The document's URL; relative URLs in it are resolved against it. */
  url: string
  parts: Part[]
  /** The start time of the run. */
  now: Date
}

export const batchSize = 200
const maxItems = 100_000

/** Yields all items in batches. Keeps the first item of an identifier; reports the others as duplicates. */
export async function* readItems(input: ReadInput): AsyncGenerator<ReadItem[]> {
  const seen = new Set<string>()
  let batch: ReadItem[] = []
  let count = 0
  for await (const found of findItems(input)) {
    if (++count > maxItems) throw new ReadFailed(`It has more than ${maxItems} items.`)
    batch.push(once(normalise(found, input.url), seen))
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

function once(item: ReadItem, seen: Set<string>): ReadItem {
  const { external_id, title } = item
  if (external_id === null) return item
  if (!seen.has(external_id)) {
    seen.add(external_id)
    return item
  }
  const reason = 'its identifier occurs twice in the source'
  return { external_id, title, content: null, refused: { action: 'duplicate', reason } }
}

/** Imports each reader's module only when it is needed. */
async function* findItems({ type, mapping, url, parts, now }: ReadInput): AsyncGenerator<FoundItem> {
  for (const { body, contentType } of parts) {
    const headers = new Map(contentType === null ? [] : [['content-type', contentType]])
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
    // Feeds declare UTF-8 even if they contain text pasted in another encoding.
    const text = readText({ body: bytes, headers }, { mendsUtf8: type === 'rss' })
    yield* await itemsOf(type, text, { mapping, url, now })
  }
}

type Context = { mapping: Mapping | null; url: string; now: Date }

async function itemsOf(
  type: SourceType,
  text: string,
  { mapping, url, now }: Context,
): Promise<Iterable<FoundItem> | AsyncIterable<FoundItem>> {
  switch (type) {
    case 'rss':
      return (await import('./feeds/rss.ts')).readFeed(text, url)
    case 'ics':
      return (await import('./calendar/read.ts')).readCalendar(text, now)
    case 'csv':
      return (await import('./csv.ts')).readTable(text, mapping ?? raise(unmapped()))
    case 'json':
      return (await import('./json.ts')).readJson(text, mapping ?? raise(unmapped()))
    case 'openagenda':
      return (await import('./openagenda.ts')).readAgenda(text)
  }
}

const unmapped = () => new ReadFailed('It has no mapping.')
