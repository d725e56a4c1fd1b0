/** A mail as its writer typed it, and what their program quoted below; null if it quoted nothing. */
export type Folded = { said: string; quoted: string | null }

/**
 * Folds what a mail program quotes below an answer. Keeps all of it where the writer answered between the quoted lines, which
 * make no sense without.
 */
export function foldQuote(text: string): Folded {
  const lines = text.split('\n')
  const below = lines.findIndex((_line, at) => isSeparator(lines, at))
  const end = below === -1 ? lines.length : below
  const start = startOfQuote(lines.slice(0, end))
  const said = lines.slice(0, start).join('\n').trim()
  const quoted = lines.slice(start).join('\n').trim()
  // Somebody who forwards a mail, or writes below a quote, would have said nothing.
  return said === '' || quoted === '' ? { said: text.trim(), quoted: null } : { said, quoted }
}

/** Finds the first of the lines at the end that are all quoted, blank, or say who wrote them. */
function startOfQuote(lines: string[]): number {
  let start = lines.length
  let hasQuote = false
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] ?? ''
    if (line.startsWith('>')) hasQuote = true
    else if (line.trim() !== '') break
    start = at
  }
  return hasQuote ? startOfAttribution(lines, start) : lines.length
}

/** Who wrote the quote, on the one, two or three lines before it. */
function startOfAttribution(lines: string[], quote: number): number {
  for (const count of [1, 2, 3]) {
    const before = lines.slice(Math.max(0, quote - count), quote)
    if (attribution.test(before.join(' ').trim())) return quote - before.length
  }
  return bareAttribution.test(lines[quote - 1]?.trim() ?? '') ? quote - 1 : quote
}

const attribution =
  /^(?:Le|On|Am|El|Il|Op) .{3,300}(?:a écrit|wrote|schrieb|escribió|ha scritto|schreef)(?: .{0,100})?\s?:$/u
/** On one line, as Gmail writes in some languages: a date, or an address. */
const bareAttribution = /^(?:\d{4}-\d\d-\d\d.{3,200}:|[^:]{0,200}@[^:]{0,200}:)$/u

/** True for a line below which all is quoted: a rule of a mail program, or the head of the mail that is answered. */
function isSeparator(lines: string[], at: number): boolean {
  const line = lines[at]?.trim() ?? ''
  if (
    /^-{3,} ?(?:Message d.origine|Original Message|Message transféré|Forwarded message|Mail original) ?-{3,}$/i.test(
      line,
    )
  )
    return true
  if (/^_{20,}$/.test(line)) return isHead(lines, at + 1)
  return isHead(lines, at) && (at === 0 || lines[at - 1]?.trim() === '')
}

const named = (names: string) => new RegExp(`^[*> ]*(?:${names})\\s?:\\*?\\s`, 'i')
const [sender, others] = [named('De|From|Von'), named('Envoyé|Date|Sent|Gesendet|À|A|To|Objet|Subject')]

/** A sender, and two more lines of a head. */
function isHead(lines: string[], at: number): boolean {
  const start = lines.slice(at, at + 3).findIndex((line) => line.trim() !== '')
  if (start === -1 || !sender.test(lines[at + start]?.trim() ?? '')) return false
  const next = lines.slice(at + start + 1, at + start + 6)
  return next.filter((line) => others.test(line.trim())).length >= 2
}
