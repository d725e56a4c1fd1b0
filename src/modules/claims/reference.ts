import { randomInt } from 'node:crypto'

/** Without letters and digits that are read as one another: 0 and O, 1, I and L, U and V. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const half = 5

/** Creates the code that a claimant quotes to support: short to say, with 49 random bits. */
export function newReference(): string {
  const letters = Array.from({ length: 2 * half }, () => alphabet[randomInt(alphabet.length)])
  return grouped(letters.join(''))
}

/** Returns the reference that somebody typed, in any case and grouping; null if the text cannot be one. */
export function readReference(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[\s\p{Pd}]/gu, '')
  return pattern.test(letters) ? grouped(letters) : null
}

const grouped = (letters: string) => `${letters.slice(0, half)}-${letters.slice(half)}`
const pattern = new RegExp(`^[${alphabet}]{${2 * half}}$`)
