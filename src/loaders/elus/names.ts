import { fold } from '../../platform/text.ts'

/**
 * The RNE writes surnames in capitals, often without accents. A known spelling stays; otherwise the usual one is
 * derived. A name in mixed case is taken as it is.
 */
export function spell(source: string, known?: string): string {
  if (!isCapitals(source)) return source
  return known !== undefined && fold(known) === fold(source) ? known : properName(source)
}

/** "DE LA TOUR-D'AUVERGNE" becomes de La Tour-d'Auvergne, "LE FLOC'H" Le Floc'h. */
export function properName(capitals: string): string {
  return capitals.toLocaleLowerCase('fr').replace(/\p{L}[\p{L}\p{M}]*(['’]\p{L}[\p{L}\p{M}]*)*/gu, properWord)
}

function properWord(word: string): string {
  if (particles.has(word)) return word
  const elided = /^(\p{L})(['’])(.+)$/u.exec(word)
  if (elided === null) return capital(word)
  const [, letter = '', apostrophe = '', rest = ''] = elided
  return `${letter === 'd' ? letter : capital(letter)}${apostrophe}${capital(rest)}`
}

/** French writes these in lower case before a surname; articles (Le, La), Da, Dos, Van or Von are capital. */
const particles = new Set(['de', 'du', 'des'])

const capital = (word: string) => word.charAt(0).toLocaleUpperCase('fr') + word.slice(1)

function isCapitals(name: string): boolean {
  return name === name.toLocaleUpperCase('fr') && name !== name.toLocaleLowerCase('fr')
}
