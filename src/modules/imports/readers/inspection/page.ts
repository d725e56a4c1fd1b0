import { clip, oneLine } from '../../../../platform/formats/text.ts'
import type { SourceType } from '../../schema.ts'

/** A feed that a web page names. */
export type LinkedFeed = { url: string; title: string | null; type: SourceType }

const mostFeeds = 10
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
  for (const [tag] of html.slice(0, headLength).matchAll(/<link\s[^<>]{1,3000}>/gi)) {
    const type = typeOf[attribute(tag, 'type')?.toLowerCase() ?? '']
    const url = URL.parse(attribute(tag, 'href') ?? '', address)
    const isAlternate = /\balternate\b/i.test(attribute(tag, 'rel') ?? '')
    if (type === undefined || url === null || !isAlternate || !/^https?:$/.test(url.protocol)) continue
    if (url.href.length > 2_000 || url.username !== '' || url.password !== '') continue
    const title = oneLine(clip(attribute(tag, 'title') ?? '', 200).replaceAll('\0', ''))
    if (!feeds.has(url.href)) feeds.set(url.href, { url: url.href, title: title || null, type })
    if (feeds.size === mostFeeds) break
  }
  return [...feeds.values()]
}

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag)
  const value = found?.[1] ?? found?.[2] ?? found?.[3]
  return value === undefined ? null : decoded(value.trim())
}

const signs: Record<string, string> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'", '#039': "'" }
const decoded = (text: string) => text.replaceAll(/&(amp|quot|lt|gt|#0?39);/g, (_, name) => signs[name] ?? '')
