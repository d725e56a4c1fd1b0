import { hash } from 'node:crypto'
import { parseFeed } from 'feedsmith'
import { escapeHtml } from '../../../../platform/formats/text.ts'
import { requireReasonable } from '../document.ts'
import { asHtml, type FoundItem, plainText } from '../item.ts'
import { ReadFailed } from '../read-failed.ts'
import { baseWithin, firstImage, resolveLinks } from './links.ts'

/**
 * Rewrites content that the feed parser does not support: base64, and `body` elements of RSS items. Leaves
 * CDATA sections and comments unchanged.
 */
export function readableFeed(text: string): string {
  const isRss = /<(?:\w+:)?rss[\s>]/i.test(text.slice(0, 20_000))
  const hasBase64 = mode.test(text)
  const hasBody = isRss && /<\/(?:\w+:)?(?:body|fullitem)\s*>/i.test(text)
  if (!hasBase64 && !hasBody) return text
  return outsideSections(text, (part) => {
    const decoded = hasBase64 ? part.replace(element, decodeElement) : part
    return hasBody ? decoded.replace(bodyTag, '<$1content:encoded>') : decoded
  })
}

const bodyTag = /<(\/?)(?:\w{1,20}:)?(?:body|fullitem)(?=[\s>])[^<>]*>/gi
const element = /<((?:\w{1,20}:)?\w{1,20})\b([^<>]*)>([A-Za-z0-9+/=\s]*)(?=<\/)/g
const mode = /\smode\s*=\s*["']base64["']/i

function decodeElement(whole: string, name: string, attributes: string, encoded: string): string {
  if (!mode.test(attributes)) return whole
  return `<${name}${attributes.replace(mode, '')}>${escapeHtml(decodeBase64(encoded) ?? '')}`
}

/** Decodes base64 text; null if the content is not text, such as an image. */
export function decodeBase64(encoded: string): string | null {
  const bare = encoded.replaceAll(/\s/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(bare)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(bare, 'base64'))
  } catch {
    return null
  }
}

/** Changes only the text outside CDATA sections and comments. An unclosed section lasts to the end. */
function outsideSections(text: string, change: (part: string) => string): string {
  const parts: string[] = []
  let at = 0
  for (const section of sectionsOf(text)) {
    parts.push(change(text.slice(at, section.from)), text.slice(section.from, section.to))
    at = section.to
  }
  parts.push(change(text.slice(at)))
  return parts.join('')
}

function* sectionsOf(text: string): Generator<{ from: number; to: number }> {
  const opening = /<!\[CDATA\[|<!--/g
  for (let found = opening.exec(text); found !== null; found = opening.exec(text)) {
    const closing = found[0] === '<!--' ? '-->' : ']]>'
    const end = text.indexOf(closing, opening.lastIndex)
    const to = end < 0 ? text.length : end + closing.length
    yield { from: found.index, to }
    opening.lastIndex = to
  }
}

/**
 * Reads RSS, Atom, RDF and JSON Feed; links in their texts are relative to `address`. The parser does not
 * expand entities that the document defines.
 */
export function readFeed(text: string, address: string): Iterable<FoundItem> {
  requireReasonable(text)
  const read = parse(readableFeed(text))
  // The parser does not return `xml:base` of the root element of RSS and RDF.
  const root = baseWithin(
    address,
    /<(?:rss|rdf:RDF)\s[^<>]*?\sxml:base\s*=\s*["']([^"'<>]*)/i.exec(text)?.[1],
  )
  switch (read.format) {
    case 'rss': {
      const base = baseWithin(root, read.feed.xml?.base)
      return lazily(read.feed.items, (item) =>
        found({
          id: item.guid?.value,
          title: item.title ?? titleElsewhere(item),
          body: firstWith([item.content?.encoded, item.description, ...bodiesElsewhere(item)]),
          words: [item.title, item.content?.encoded ?? item.description],
          url: item.link ?? pageOf(item.atom?.links),
          image:
            imageOf(item.enclosures) ?? item.media?.thumbnails?.[0]?.url ?? mediaImage(item.media?.contents),
          base: baseWithin(base, item.xml?.base),
        }),
      )
    }
    case 'atom': {
      const base = baseWithin(address, read.feed.xml?.base)
      return lazily(read.feed.entries, (entry) => {
        const own = baseWithin(base, entry.xml?.base)
        const text = [entry.content, entry.summary].find((part) => hasWords(textOf(part)))
        return found({
          id: entry.id,
          title: textOf(entry.title) ?? titleElsewhere(entry),
          body: textOf(text) ?? firstWith(bodiesElsewhere(entry)),
          words: [textOf(entry.title), textOf(entry.content) ?? textOf(entry.summary)],
          url: pageOf(entry.links),
          image:
            imageOf(
              entry.links
                ?.filter(({ rel }) => rel === 'enclosure')
                .map(({ href, type }) => ({ url: href, type })),
            ) ?? entry.media?.groups?.[0]?.thumbnails?.[0]?.url,
          base: own,
          textBase: baseWithin(own, text?.xml?.base),
        })
      })
    }
    case 'rdf': {
      const base = baseWithin(root, read.feed.xml?.base)
      return lazily(read.feed.items, (item) =>
        found({
          id: item.rdf?.about,
          title: item.title ?? titleElsewhere(item),
          body: firstWith([item.content?.encoded, item.description, ...bodiesElsewhere(item)]),
          words: [item.title, item.content?.encoded ?? item.description],
          url: item.link,
          base: baseWithin(base, item.xml?.base),
        }),
      )
    }
    case 'json':
      return lazily(read.feed.items, (item) =>
        found({
          id: item.id,
          title: item.title,
          body: item.content_html ?? htmlOf(item.content_text) ?? htmlOf(item.summary),
          url: item.url ?? item.external_url,
          image: item.image ?? item.banner_image,
          base: address,
        }),
      )
  }
}

type MediaText = { title?: { value?: Part }; description?: { value?: Part } }
type Extensions = {
  dc?: { titles?: string[]; descriptions?: string[] }
  itunes?: { title?: Part; summary?: Part; subtitle?: Part }
  media?: MediaText & { groups?: MediaText[]; contents?: MediaText[] }
}

/** Title from extensions, for an item without one. */
const titleElsewhere = ({ dc, itunes, media }: Extensions): Part =>
  firstWith([
    dc?.titles?.[0],
    media?.title?.value,
    media?.groups?.[0]?.title?.value,
    media?.contents?.[0]?.title?.value,
    itunes?.title,
  ])

const bodiesElsewhere = ({ dc, itunes, media }: Extensions): Part[] => [
  dc?.descriptions?.[0],
  itunes?.summary,
  media?.description?.value,
  media?.groups?.[0]?.description?.value,
  media?.contents?.[0]?.description?.value,
  itunes?.subtitle,
]

/** Returns the first part with words, else the first part present. */
const firstWith = (parts: Part[]): Part => parts.find(hasWords) ?? parts.find((part) => part !== undefined)

const hasWords = (part: Part): boolean => part !== undefined && /[^\s]/.test(part.replaceAll(/<[^<>]*>/g, ''))

/** Returns the text of an Atom element; a binary type means base64. */
function textOf(part: { value?: Part; type?: Part } | undefined): Part {
  if (part?.value === undefined) return undefined
  const { value, type = 'text' } = part
  const isBinary = /^(?:application\/octet-stream|(?:image|audio|video)\/(?!svg))/i.test(type.trim())
  // Some feeds declare a binary type but write plain text.
  const isEncoded = isBinary && !/[^A-Za-z0-9+/=\s]/.test(value)
  return isEncoded ? (decodeBase64(value) ?? undefined) : value
}

function parse(text: string) {
  try {
    return parseFeed(text)
  } catch {
    throw new ReadFailed('It cannot be read as RSS, Atom, RDF or JSON Feed.')
  }
}

function* lazily<T>(items: readonly T[] | undefined, make: (item: T) => FoundItem): Generator<FoundItem> {
  for (const item of items ?? []) yield make(item)
}

type Part = string | undefined

type Parts = Record<'title' | 'body' | 'url' | 'id', Part> & {
  image?: Part
  /** Base of the item's URLs; links in its text are relative to `textBase`. */
  base: string
  textBase?: string
  /** Title and text that identify an item without identifier and link. */
  words?: [title: Part, body: Part]
}

/** Builds an item. Without an identifier, its link identifies it, else a digest of its text. */
function found({ id, title, body, url, image, base, textBase = base, words }: Parts): FoundItem {
  const own = id?.trim() || url?.trim() || digestOf(words ?? [title, body]) || digestOf([title, body])
  const whole = (address: Part) =>
    address === undefined ? null : (URL.parse(address.trim(), base)?.href ?? address)
  const page = url ?? webAddress(id)
  return {
    external_id: own || null,
    title: title === undefined ? null : plainText(title),
    body: body === undefined ? null : resolveLinks(body, textBase),
    url: whole(page),
    image_url: whole(image) ?? firstImage(body, textBase),
  }
}

function digestOf([title = '', body = '']: [title: Part, body: Part]): string {
  const words = `${title}\n${body}`
  return words.trim() && `sha256:${hash('sha256', words, 'hex')}`
}

const webAddress = (id: Part) => (id !== undefined && /^https?:/i.test(id) ? id : undefined)

const pageOf = (links: { href?: Part; rel?: Part }[] | undefined) =>
  links?.find(({ rel = 'alternate' }) => rel === 'alternate')?.href

type Enclosure = { url?: Part; type?: Part }
const imageOf = (enclosures: Enclosure[] | undefined) =>
  enclosures?.find(({ type }) => type?.startsWith('image/'))?.url

type Media = { url?: Part; medium?: Part; type?: Part }
const mediaImage = (contents: Media[] | undefined) =>
  contents?.find(({ medium, type }) => medium === 'image' || type?.startsWith('image/'))?.url

const htmlOf = (text: Part) => (text === undefined ? undefined : asHtml(text))
