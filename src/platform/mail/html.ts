import { escapeHtml } from '../formats/text.ts'

/** Converts text to HTML: paragraphs, lines and links. */
export function htmlOf(text: string, langue: 'fr' | 'en' = 'fr'): string {
  const paragraphs = text.trim().split(/\n{2,}/)
  const body = paragraphs.map((paragraph) => `<p>${withLinks(paragraph).replaceAll('\n', '<br>\n')}</p>`)
  return `<!doctype html>\n<html lang="${langue}"><body>\n${body.join('\n')}\n</body></html>\n`
}

/** A URL ends before the punctuation of its sentence. */
const webAddress = /https?:\/\/[^\s<>"«»]*[^\s<>"«».,;:!?)\]'’]/g

function withLinks(text: string): string {
  const parts: string[] = []
  let end = 0
  for (const { 0: address, index } of text.matchAll(webAddress)) {
    parts.push(
      escapeHtml(text.slice(end, index)),
      `<a href="${escapeHtml(address)}">${escapeHtml(address)}</a>`,
    )
    end = index + address.length
  }
  return parts.join('') + escapeHtml(text.slice(end))
}
