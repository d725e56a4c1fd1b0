/** The sides of a street, by the parity of its numbers. */
export const sides = ['pair', 'impair'] as const
/** Numbers of a street that belong to a secteur; null: from the first, to the last, on both sides. */
export type Street = { rue: string; de: number | null; a: number | null; cote: (typeof sides)[number] | null }

/** Rules for the lines that people type and paste. Without an import of the server: the browser loads this file too. */

const side = '(pairs?|impairs?)'
const bounds = String.raw`(?:(\d{1,5})\s*(?:-|–|à)\s*(\d{1,5})?|(?:-|–|à)\s*(\d{1,5}))`
const inNumbers = new RegExp(String.raw`^(?:${bounds}|(\d{1,5}))?\s*,?\s*${side}?$`, 'iu')
const atEnd = new RegExp(
  String.raw`^(?<name>.*?\p{L}.*?)\s+(?<numbers>${bounds}(?:\s*,?\s*${side})?|${side})$`,
  'iu',
)
const maxNumber = 9_999

/**
 * Reads a line such as "Rue de la République : 1-25 impair". A colon, a semicolon or a tab stands before the numbers; a
 * range and a side are read without one. Null for a line that cannot be read.
 */
export function streetOf(line: string): Street | null {
  const [rue = '', ...rest] = line.split(/[:;\t]/).map((part) => part.trim())
  if (rue === '') return null
  if (rest.length > 0) return withNumbers(rue, rest.filter(Boolean).join(' '))
  const { name = rue, numbers = '' } = atEnd.exec(rue)?.groups ?? {}
  return withNumbers(name, numbers)
}

function withNumbers(rue: string, numbers: string): Street | null {
  const read = inNumbers.exec(numbers)
  if (read === null) return null
  const [, from, to, upTo, only, word] = read
  const de = numberOf(from ?? only)
  const a = numberOf(to ?? upTo ?? only)
  if ((de ?? 1) > (a ?? maxNumber) || (de ?? 1) > maxNumber || (a ?? 1) > maxNumber) return null
  const isOdd = word?.toLowerCase().startsWith('i')
  return { rue, de, a, cote: word === undefined ? null : isOdd ? 'impair' : 'pair' }
}

const numberOf = (digits: string | undefined) => (digits === undefined ? null : Number(digits))

/** Returns the line from which a street is read. */
export function lineOf({ rue, de, a, cote }: Street): string {
  const range = de === null && a === null ? '' : de === a ? `${de}` : `${de ?? ''}-${a ?? ''}`
  const numbers = [range, cote ?? ''].filter(Boolean).join(' ')
  // A name that would be read as a range needs the separator.
  return numbers === '' && atEnd.test(rue) ? `${rue} :` : numbers === '' ? rue : `${rue} : ${numbers}`
}
