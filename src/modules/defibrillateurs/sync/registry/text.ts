import { clip, oneLine } from '../../../../platform/text.ts'
import type { Tally } from '../tally.ts'

/** Cleans free text: one line, without markup, without the contacts that leak into it; null if nothing is left. */
export function cleanText(given: string, most: number, tally: Tally): string | null {
  const whole = given.trim()
  const text = beginningOf(whole, most)
  // Most texts need nothing: checked first, since a registry has millions.
  const plain = suspect.test(text) ? plainLine(text, tally) : text
  const kept = plain.length > most ? clip(plain, most).trim() : plain
  if (text !== whole || kept !== plain) tally.clean('text_cut')
  return kept || null
}

/** A row may have 200 000 letters. Markup takes room beside the text: hence more than is kept, and not half a word. */
function beginningOf(text: string, most: number): string {
  const length = most * 6
  if (text.length <= length) return text
  const lastSpace = text.lastIndexOf(' ', length)
  return clip(text, lastSpace > length - 200 ? lastSpace : length)
}

function plainLine(text: string, tally: Tally): string {
  const written = text.toWellFormed().replace(unkept, '')
  const plain = withoutMarkup(written).replace(unkept, '')
  if (plain !== written) tally.clean('html_stripped')
  const masked = plain.replace(email, mask).replace(telephone, mask)
  if (masked !== plain) tally.clean('contact_masked')
  return oneLine(masked)
}

const mask = '[masqué]'
// Markup, references, addresses, digits in a row as telephones have them, and what cannot be kept or steers a screen.
const suspect =
  /[<>&@\p{Cc}\p{Cs}\p{Bidi_Control}\u{FEFF}\u{2028}\u{2029}\u{FFFD}]|[a-z]\s?\(at\)|(?:\d[\s.\-/]?){8}| {2}/iu
// Invisible characters that turn the reading direction hide what a text says, and how an address goes on.
const unkept = /[\0\u{FEFF}\u{FFFD}\p{Bidi_Control}]/gu

// Begins at the beginning of a word: tried at each of its letters, a long one would take quadratic time.
const email =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+ ?(?:@|\(at\)|\[at\]) ?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu
/** National or with the code of France or of one of its territories; ten digits, however they are grouped. */
const telephone =
  /(?<!\d)(?:(?:\+|00) ?(?:33|262|508|590|594|596|681|687|689)[\s.\-/]?(?:\(0\)[\s.\-/]?)?\d(?:[\s.\-/]?\d){5,8}|0[1-9](?:[\s.\-/]?\d){8})(?!\d)/g

/** Decodes references first, since what they stand for may be markup again. */
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
