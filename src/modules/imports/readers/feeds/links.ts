import { asHtml } from '../item.ts'

/** The base of addresses within another one. One that leads elsewhere than to the web is none. */
export function baseWithin(outer: string, inner: string | undefined): string {
  const url = inner === undefined ? null : URL.parse(inner.trim(), outer)
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : outer
}

/** Makes links whole, for a page that is not where they were written. */
export function resolveLinks(html: string, base: string): string {
  if (!/<a\s/i.test(html)) return html
  return html.replaceAll(/<a\s[^<>]*>/gi, (tag) =>
    tag.replace(
      /(\shref\s*=\s*)(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/i,
      (whole, name: string, ...values: (string | undefined)[]) => {
        const given = decoded(values.slice(0, 3).find((value) => value !== undefined) ?? '')
        if (given === '' || /^[a-z][a-z0-9+.-]*:/i.test(given)) return whole
        const url = URL.parse(given, base)
        return url === null ? whole : `${name}"${asHtml(url.href).replaceAll('"', '&quot;')}"`
      },
    ),
  )
}

/** The first picture of a text; not one that is there to count readers, or to smile. */
export function firstImage(html: string | undefined, base: string): string | null {
  for (const [tag] of html?.matchAll(/<img\s[^<>]*>/gi) ?? []) {
    const size = Math.min(
      ...['width', 'height'].map((name) => Number(attributeOf(tag, name) ?? 'none') || 1_000),
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
