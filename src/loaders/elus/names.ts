import { fold } from '../../platform/formats/text.ts'

/**
 * Returns the spelling of a name. The RNE writes surnames in capitals, often without accents: keeps the known
 * spelling, else derives the usual one. Returns a name in mixed case unchanged.
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

/** Particles in lower case before a surname; articles (Le, La), Da, Dos, Van or Von are capitalised. */
const particles = new Set(['de', 'du', 'des'])

const capital = (word: string) => word.charAt(0).toLocaleUpperCase('fr') + word.slice(1)

function isCapitals(name: string): boolean {
  return name === name.toLocaleUpperCase('fr') && name !== name.toLocaleLowerCase('fr')
}
