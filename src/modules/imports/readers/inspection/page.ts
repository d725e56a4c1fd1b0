import sanitizeHtml, { type Attributes } from 'sanitize-html'
import { clip, oneLine } from '../../../../platform/formats/text.ts'
import type { SourceType } from '../../schema.ts'

/** A feed that a web page names. */
export type LinkedFeed = { url: string; title: string | null; type: SourceType }

const maxFeeds = 10
/** The head of a page, where links to feeds stand. */
const headLength = 300_000

const typeOf: Record<string, SourceType> = {
  'application/rss+xml': 'rss',
  'application/atom+xml': 'rss',
  'application/rdf+xml': 'rss',
  'application/feed+json': 'rss',
  'text/calendar': 'ics',
}

/** Lists the feeds that a page names in `<link rel="alternate">`. */
export function feedsOf(html: string, address: string): LinkedFeed[] {
  const feeds = new Map<string, LinkedFeed>()
  // Used as a parser: it follows HTML in quotes and entities. The cleaned text is not needed.
  sanitizeHtml(html.slice(0, headLength), {
    allowedTags: [],
    onOpenTag(name, attributes) {
      const feed = name === 'link' && feeds.size < maxFeeds ? feedOf(attributes, address) : null
      if (feed !== null && !feeds.has(feed.url)) feeds.set(feed.url, feed)
    },
  })
  return [...feeds.values()]
}

function feedOf({ type = '', rel = '', href, title = '' }: Attributes, address: string): LinkedFeed | null {
  const feedType = typeOf[type.trim().toLowerCase()]
  const url = href === undefined ? null : URL.parse(href, address)
  if (feedType === undefined || url === null || !/\balternate\b/i.test(rel)) return null
  const isUsable = /^https?:$/.test(url.protocol) && url.href.length <= 2_000
  if (!isUsable || url.username !== '' || url.password !== '') return null
  return { url: url.href, title: oneLine(clip(title, 200).replaceAll('\0', '')) || null, type: feedType }
}
