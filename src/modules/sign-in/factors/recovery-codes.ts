import { hash, randomInt } from 'node:crypto'

const count = 10
// Without 0, 1, O and I, which are easily confused: five bits per character.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789l'

/** Generates ten codes of 80 random bits, in groups for writing down. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: count }, () =>
    Array.from({ length: 4 }, () => Array.from({ length: 4 }, letter).join('')).join('-'),
  )

const letter = () => alphabet[randomInt(alphabet.length)]

/** Ignores hyphens, blanks and capitals, because users type them differently. */
export const digestOfCode = (code: string): Buffer =>
  hash('sha256', code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), 'buffer')
