import { fold } from '../../platform/text.ts'

/**
 * The RNE writes surnames in capitals, which tell neither case nor, often, accents: the spelling that is known already
 * stays, else the usual one is made. What the source writes in both cases is its word.
 */
export function spell(source: string, known?: string): string {
  if (!isCapitals(source)) return source
  return known !== undefined && fold(known) === fold(source) ? known : properName(source)
}

/** "DE LA TOUR-D'AUVERGNE" is de La Tour-d'Auvergne, "LE FLOC'H" Le Floc'h. */
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

/** French keeps these small before a surname; articles (Le, La), Da, Dos, Van or Von are capital. */
const particles = new Set(['de', 'du', 'des'])

const capital = (word: string) => word.charAt(0).toLocaleUpperCase('fr') + word.slice(1)

function isCapitals(name: string): boolean {
  return name === name.toLocaleUpperCase('fr') && name !== name.toLocaleLowerCase('fr')
}
