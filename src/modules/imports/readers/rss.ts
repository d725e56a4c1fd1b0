import { hash } from 'node:crypto'
import { parseFeed } from 'feedsmith'
import sanitizeHtml from 'sanitize-html'
import { requireReasonable } from './document.ts'
import { asHtml, type FoundItem } from './item.ts'
import { ReadFailed } from './read-failed.ts'

/** RSS, Atom, RDF and JSON Feed. The parser expands no entity of the document's own. */
export function readFeed(text: string): Iterable<FoundItem> {
  requireReasonable(text)
  const read = parse(text)
  switch (read.format) {
    case 'rss':
      return lazily(read.feed.items, (item) =>
        found({
          id: item.guid?.value,
          title: item.title,
          body: item.content?.encoded ?? item.description,
          url: item.link,
          image:
            imageOf(item.enclosures) ?? item.media?.thumbnails?.[0]?.url ?? mediaImage(item.media?.contents),
        }),
      )
    case 'atom':
      return lazily(read.feed.entries, (entry) =>
        found({
          id: entry.id,
          title: entry.title?.value,
          body: entry.content?.value ?? entry.summary?.value,
          url: entry.links?.find(({ rel = 'alternate' }) => rel === 'alternate')?.href,
          image: imageOf(
            entry.links
              ?.filter(({ rel }) => rel === 'enclosure')
              .map(({ href, type }) => ({ url: href, type })),
          ),
        }),
      )
    case 'rdf':
      return lazily(read.feed.items, (item) =>
        found({
          id: item.rdf?.about,
          title: item.title,
          body: item.content?.encoded ?? item.description,
          url: item.link,
        }),
      )
    case 'json':
      return lazily(read.feed.items, (item) =>
        found({
          id: item.id,
          title: item.title,
          body: item.content_html ?? htmlOf(item.content_text) ?? htmlOf(item.summary),
          url: item.url ?? item.external_url,
          image: item.image ?? item.banner_image,
        }),
      )
  }
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

/** An item that says nothing of who it is, is who its address, else its words, say. */
function found({
  id,
  title,
  body,
  url,
  image,
}: Record<'title' | 'body' | 'url' | 'id', Part> & { image?: Part }): FoundItem {
  const words = `${title ?? ''}\n${body ?? ''}`
  const own = id?.trim() || url?.trim() || (words.trim() && `sha256:${hash('sha256', words, 'hex')}`)
  return {
    external_id: own || null,
    title: title === undefined ? null : plainText(title),
    body: body ?? null,
    url: url ?? webAddress(id),
    image_url: image ?? null,
  }
}

const webAddress = (id: Part) => (id !== undefined && /^https?:/i.test(id) ? id : null)

/** Titles are plain, but many feeds put HTML there. */
function plainText(title: string): string {
  const beginning = title.slice(0, 10_000)
  if (!/[<&]/.test(beginning)) return beginning
  return sanitizeHtml(beginning, { allowedTags: [], allowedAttributes: {}, nestingLimit: 20 })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

type Enclosure = { url?: Part; type?: Part }
const imageOf = (enclosures: Enclosure[] | undefined) =>
  enclosures?.find(({ type }) => type?.startsWith('image/'))?.url

type Media = { url?: Part; medium?: Part; type?: Part }
const mediaImage = (contents: Media[] | undefined) =>
  contents?.find(({ medium, type }) => medium === 'image' || type?.startsWith('image/'))?.url

const htmlOf = (text: Part) => (text === undefined ? undefined : asHtml(text))
