import { piecesOf } from '../../../publications/importing/content.ts'
import { asHtml } from '../item.ts'

/** Resolves an inner `xml:base` against the outer base; ignores it unless it is an http or https URL. */
export function baseWithin(outer: string, inner: string | undefined): string {
  const url = inner === undefined ? null : URL.parse(inner.trim(), outer)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : outer
}

/** Makes links absolute, because the text is shown at another URL. */
export function resolveLinks(html: string, base: string): string {
  if (!/<a\s/i.test(html)) return html
  return [...piecesOf(html)]
    .map(({ source, name, closes }) => (name === 'a' && !closes ? resolveLink(source, base) : source))
    .join('')
}

const resolveLink = (tag: string, base: string) =>
  tag.replace(
    /(\shref\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/i,
    (whole, name: string, ...values: (string | undefined)[]) => {
      const given = decoded(values.slice(0, 3).find((value) => value !== undefined) ?? '')
      if (given === '' || /^[a-z][a-z0-9+.-]*:/i.test(given)) return whole
      const url = URL.parse(given, base)
      return url === null ? whole : `${name}"${asHtml(url.href).replaceAll('"', '&quot;')}"`
    },
  )

/** Returns the URL of the first image of a text; skips tracking pixels and emoticons. */
export function firstImage(html: string | undefined, base: string): string | null {
  if (html === undefined || !/<img\s/i.test(html)) return null
  for (const { source: tag, name } of piecesOf(html)) {
    if (name !== 'img') continue
    const size = Math.min(
      ...['width', 'height'].map((side) => Number(attributeOf(tag, side) ?? 'none') || 1_000),
    )
    const source = attributeOf(tag, 'src')
    const url = source === null || size < 32 ? null : URL.parse(decoded(source), base)
    if (url !== null && /^https?:$/.test(url.protocol)) return url.href
  }
  return null
}

function attributeOf(tag: string, name: string): string | null {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'<>]+))`, 'i').exec(tag)
  return found?.slice(1).find((value) => value !== undefined) ?? null
}

const decoded = (attribute: string) => attribute.replaceAll(/&(?:amp|#38|#x26);/gi, '&').trim()
