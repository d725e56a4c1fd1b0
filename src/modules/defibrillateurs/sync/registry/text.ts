import { clip, oneLine } from '../../../../platform/formats/text.ts'
import { SyncFailed } from '../sync-failed.ts'
import type { Tally } from '../tally.ts'

/**
 * Returns a function that decodes chunks of UTF-8, and without an argument the end. Throws at other bytes: decoded,
 * they would leave U+FFFD in names and states, and no device would be `validées`.
 */
export function createDecoder(): (chunk?: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (chunk) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw new SyncFailed('The data of the registry are not text in UTF-8: damaged, or in another encoding.')
    }
  }
}

/** Cleans free text: one line, without markup, contact data masked; null if nothing is left. */
export function cleanText(given: string, most: number, tally: Tally): string | null {
  const whole = given.trim()
  const text = beginningOf(whole, most)
  // Tests first whether cleaning is needed: most of the millions of texts are clean.
  const plain = suspect.test(text) ? plainLine(text, tally) : text
  const kept = plain.length > most ? clip(plain, most).trim() : plain
  if (text !== whole || kept !== plain) tally.clean('text_cut')
  return kept || null
}

/** Cuts a long text at a word: a row may have 200,000 characters. Leaves room for markup to be removed. */
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
// Matches what may need cleaning: markup, entities, mail addresses, telephone numbers, control characters.
const suspect =
  /[<>&@\p{Cc}\p{Cs}\p{Bidi_Control}\u{FEFF}\u{2028}\u{2029}\u{FFFD}]|[a-z]\s?\(at\)|(?:\d[\s.\-/]?){8}| {2}/iu
// Removed characters: those that reverse the text direction can disguise a text or an address.
const unkept = /[\0\u{FEFF}\u{FFFD}\p{Bidi_Control}]/gu

// Matches only from the start of a word: trying every letter of a long word would take quadratic time.
const email =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+ ?(?:@|\(at\)|\[at\]) ?[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu
/**
 * Matches national numbers, or those with the code of France or a territory; ten digits in any grouping, unless they begin
 * with a date.
 */
const telephone =
  /(?<!\d)(?:(?:\+|00) ?(?:33|262|508|590|594|596|681|687|689)[\s.\-/]?(?:\(0\)[\s.\-/]?)?\d(?:[\s.\-/]?\d){5,8}|(?!(?:\d\d[./-])?(?:0[1-9]|1[0-2])[./-](?:19|20)\d\d(?!\d))0[1-9](?:[\s.\-/]?\d){8})(?!\d)/g

/** Removes markup. Decodes entities first, because the decoded text may be markup again. */
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
