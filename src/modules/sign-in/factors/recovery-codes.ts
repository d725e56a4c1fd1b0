import { hash, randomInt } from 'node:crypto'

const count = 10
// Without 0, 1, O and I, which people mistake for each other: five bits a character.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789l'

/** Ten codes of 80 random bits, as people write them down. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: count }, () =>
    Array.from({ length: 4 }, () => Array.from({ length: 4 }, letter).join('')).join('-'),
  )

const letter = () => alphabet[randomInt(alphabet.length)]

/** Of the letters alone: hyphens, blanks and capitals are how somebody writes. */
export const digestOfCode = (code: string): Buffer =>
  hash('sha256', code.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), 'buffer')
