import { readText } from '../../../../platform/fetch/read-text.ts'
import { clip, oneLine } from '../../../../platform/formats/text.ts'
import type { Mapping, SourceType } from '../../schema.ts'
import { parseJson } from '../document.ts'
import type { ReadItem } from '../item.ts'
import { valueAt } from '../json.ts'
import { type Part, readItems } from '../read.ts'
import { ReadFailed } from '../read-failed.ts'
import { columnsOf, listIn, pathsOf } from './fields.ts'
import { type Field, proposeMapping } from './mapping.ts'
import { feedsOf, type LinkedFeed } from './page.ts'

export type InspectInput = { url: string; part: Part; now: Date }

/** Kind of a document: a source with sample items, or a web page that names feeds. */
export type Inspection = {
  type: SourceType | null
  mapping: Mapping | null
  fields: Field[]
  items: SampleItem[]
  feeds: LinkedFeed[]
}

export type SampleItem = {
  external_id: string | null
  title: string | null
  excerpt: string | null
  url: string | null
  image_url: string | null
  date_debut: string | null
  date_fin: string | null
  /** Why it would be refused, or a remark. */
  problem: string | null
}

type Kind = { type: SourceType; mapping?: Mapping | null; fields?: Field[] }

const maxItems = 10
const headLength = 5_000

/** Finds out what a document is and reads its first items as an import would. Runs in the reader's thread. */
export async function inspect({ url, part, now }: InspectInput): Promise<Inspection> {
  const headers = new Map(part.contentType === null ? [] : [['content-type', part.contentType]])
  const body = Buffer.from(part.body.buffer, part.body.byteOffset, part.body.length)
  const text = readText({ body, headers })
  const feeds = isPage(text) ? feedsOf(text, url) : []
  if (feeds.length > 0) return { type: null, mapping: null, fields: [], items: [], feeds }
  const { type, mapping = null, fields = [] } = await kindOf(text)
  const items = await sample({ type, mapping, url, parts: [part], now })
  return { type, mapping, fields, items, feeds: [] }
}

async function kindOf(text: string): Promise<Kind> {
  const head = text.slice(0, headLength).replace(/^[\s\ufeff\0]+/, '')
  if (head === '') throw new ReadFailed('It is empty.')
  if (/^BEGIN:VCALENDAR/i.test(head)) return { type: 'ics' }
  if (/^[[{]/.test(head)) return kindOfJson(parseJson(text))
  if (isPage(text)) throw new ReadFailed('It is a web page that names no feed.')
  if (head.startsWith('<')) return { type: 'rss' }
  const fields = await columnsOf(text)
  if (fields.length < 2) throw new ReadFailed('It is no feed, calendar, table or JSON document.')
  return { type: 'csv', fields, mapping: proposeMapping(fields) }
}

function isPage(text: string): boolean {
  const head = text.slice(0, headLength).replace(/^[\s\ufeff]+/, '')
  if (!head.startsWith('<') || /<(?:rss|feed|rdf:rdf)[\s>]/i.test(head)) return false
  return /<(?:!doctype\s+html|html|head|body)[\s>]/i.test(head)
}

function kindOfJson(document: unknown): Kind {
  const version = valueAt(document, 'version')
  if (typeof version === 'string' && /^https?:\/\/(?:www\.)?jsonfeed\.org\//.test(version))
    return { type: 'rss' }
  if (isAgenda(document)) return { type: 'openagenda' }
  const found = listIn(document)
  if (found === null) throw new ReadFailed('It has no list of items.')
  const fields = pathsOf(found.list)
  const mapping = proposeMapping(fields)
  const items = found.path === undefined ? {} : { items: found.path }
  return { type: 'json', fields, mapping: mapping && { ...mapping, ...items } }
}

/** The events of OpenAgenda have a number, and times or a cursor for the next page. */
function isAgenda(document: unknown): boolean {
  const events = valueAt(document, 'events')
  if (!Array.isArray(events)) return false
  if (events.length === 0) return valueAt(document, 'after') !== undefined
  const [first] = events
  const isEvent = valueAt(first, 'uid') !== undefined && valueAt(first, 'title') !== undefined
  return isEvent && (events.some(hasTimes) || valueAt(document, 'after') !== undefined)
}

const hasTimes = (event: unknown) =>
  ['timings', 'firstTiming', 'lastTiming', 'nextTiming', 'dateRange'].some(
    (name) => valueAt(event, name) !== undefined,
  )

async function sample(input: Parameters<typeof readItems>[0]): Promise<SampleItem[]> {
  if ((input.type === 'csv' || input.type === 'json') && input.mapping === null) return []
  for await (const batch of readItems(input)) return batch.slice(0, maxItems).map(shown)
  return []
}

function shown(item: ReadItem): SampleItem {
  const { external_id, title, content } = item
  return {
    external_id,
    title,
    excerpt: content === null ? null : excerptOf(content.body),
    url: content?.source_url ?? null,
    image_url: content?.image_url ?? null,
    date_debut: content?.date_debut ?? null,
    date_fin: content?.date_fin ?? null,
    problem: item.refused === null ? item.note : item.refused.reason,
  }
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The beginning of a text without its markup. */
function excerptOf(body: string): string {
  const plain = clip(body, 2_000)
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name) => entities[name] ?? ' ')
  return clip(oneLine(plain), 300)
}
