/** The text of a page without what only WordPress understands, and what was removed. */
export type Converted = {
  html: string
  blocks: number
  shortcodes: number
  markup: number
  /** Addresses of the pictures that were left out. */
  images: string[]
}

/** Converts the text of a page of WordPress to HTML, which must still be sanitised. */
export function convert(content: string, site: string | null): Converted {
  const text = content.replaceAll('\r\n', '\n')
  const blocks = text.split('<!-- wp:').length - 1
  const { html, shortcodes } = withoutShortcodes(withoutComments(text))
  return {
    html: blocks > 0 ? html : withParagraphs(html),
    blocks,
    shortcodes,
    markup: [...html.matchAll(/<([a-z][a-z0-9-]{0,30})/gi)].filter(([, name = '']) => isLost(name)).length,
    images: imagesIn(html, site),
  }
}

/** Removes comments; one that is not closed lasts to the end. */
function withoutComments(text: string): string {
  const parts: string[] = []
  let at = 0
  for (let start = text.indexOf('<!--'); start >= 0; start = text.indexOf('<!--', at)) {
    parts.push(text.slice(at, start))
    const end = text.indexOf('-->', start)
    if (end < 0) return parts.join('')
    at = end + '-->'.length
  }
  return parts.join('') + text.slice(at)
}

const shortcode = /\[(\/?)([a-z][\w-]{0,40})(\s[^[\]<>]{0,1000})?\]/gi
const usual = new Set(['audio', 'caption', 'embed', 'gallery', 'playlist', 'video'])

/** Removes shortcodes, but not what they enclose. Words in brackets stay: `[sic]`. */
function withoutShortcodes(text: string): { html: string; shortcodes: number } {
  const closed = new Set([...text.matchAll(/\[\/([a-z][\w-]{0,40})\]/gi)].map(([, name]) => name))
  let shortcodes = 0
  const html = text.replaceAll(shortcode, (whole, slash: string, name: string, attributes = '') => {
    const isOne = usual.has(name) || closed.has(name) || name.includes('_') || /[\w-]\s?=/.test(attributes)
    if (!isOne) return whole
    if (slash === '') shortcodes++
    return ''
  })
  return { html, shortcodes }
}

const hasBlock = /<\/?(?:p|div|h[1-6]|ul|ol|li|dl|table|blockquote|section|figure|pre|hr|form|address)\b/i

/** Makes paragraphs of the blank lines that the editor before blocks stored. */
const withParagraphs = (html: string): string =>
  html
    .split(/\n[^\S\n]*\n\s*/)
    .map((part) => part.trim())
    .map((part) => (part === '' || hasBlock.test(part) ? part : `<p>${part.replaceAll('\n', '<br>')}</p>`))
    .join('\n')

const kept = new Set('p br a ul ol li strong b em i u h1 h2 h3 h4 h5 h6'.split(' '))
/** What stays legible without its element, or is counted as a picture. */
const neutral = new Set('div span section article figure figcaption img small font center'.split(' '))
const isLost = (name: string) => !kept.has(name.toLowerCase()) && !neutral.has(name.toLowerCase())

function imagesIn(html: string, site: string | null): string[] {
  return [...html.matchAll(/<img\b([^<>]{0,4000})/gi)].map(([, attributes = '']) => {
    const source = /\ssrc\s{0,9}=\s{0,9}["']?([^"'\s<>]{1,500})/i.exec(attributes)?.[1] ?? ''
    const url = URL.parse(source.replaceAll('&amp;', '&'), site ?? undefined)
    return url !== null && /^https?:$/.test(url.protocol) ? url.href : ''
  })
}
