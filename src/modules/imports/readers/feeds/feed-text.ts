import { escapeHtml } from '../../../../platform/formats/text.ts'

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
