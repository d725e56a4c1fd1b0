import { clip, oneLine } from '../../../../platform/text.ts'
import type { Tally } from '../tally.ts'

/** Free text as it is kept: one line, without markup, without the contacts that leak into it; null where it says nothing. */
export function cleanText(text: string, most: number, tally: Tally): string | null {
  // Most texts need nothing: asked first, since a registry has millions.
  if (!suspect.test(text)) return shortened(text.trim(), most, tally)
  const written = text.toWellFormed().replace(unkept, '')
  const plain = withoutMarkup(written)
  if (plain !== written) tally.clean('html_stripped')
  const masked = plain.replace(email, mask).replace(telephone, mask)
  if (masked !== plain) tally.clean('contact_masked')
  return shortened(oneLine(masked), most, tally)
}

const mask = '[masqué]'
// Markup, references, addresses, digits in a row as telephones have them, and what cannot be kept or steers a screen.
const suspect = /[<>&@\p{Cc}\p{Cs}\u{2028}\u{2029}\u{FFFD}]|[a-z]\s?\(at\)|(?:\d[\s.\-/]?){8}| {2}/iu
const unkept = /[\0\u{FFFD}]/gu

const email = /[\p{L}\p{N}._%+-]+ ?(?:@|\(at\)|\[at\]) ?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu
/** National or with the code of France or of one of its territories; ten digits, however they are grouped. */
const telephone =
  /(?<!\d)(?:(?:\+|00) ?(?:33|262|508|590|594|596|681|687|689)[\s.\-/]?(?:\(0\)[\s.\-/]?)?\d(?:[\s.\-/]?\d){5,8}|0[1-9](?:[\s.\-/]?\d){8})(?!\d)/g

function shortened(text: string, most: number, tally: Tally): string | null {
  if (text === '') return null
  if (text.length <= most) return text
  tally.clean('text_cut')
  return clip(text, most).trim()
}

/** What is written as a reference may be markup again: it is read before markup is taken out. */
function withoutMarkup(text: string): string {
  return text
    .replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
      const code = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : 0
      if (name) return references[name.toLowerCase()] ?? whole
      return code > 31 && code < 0xd800 ? String.fromCodePoint(code) : ' '
    })
    .replace(/<(script|style)\b[^>]*>.*?(?:<\/\1\s*>|$)/gis, ' ')
    .replace(/<!--.*?(?:-->|$)|<\/?[a-z][^<>]*(?:>|$)/gis, ' ')
}

const references: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  rsquo: '’',
}
