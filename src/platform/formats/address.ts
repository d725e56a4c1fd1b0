import { clip, fold } from './text.ts'

/** A postal address as somebody typed it. `street` is a key of `streetKey`; empty if only a number was typed. */
export type TypedAddress = { numero: number | null; suffixe: string | null; street: string }

/**
 * Returns the key by which names of streets are compared: folded, abbreviations written out, articles left out, so that
 * `Bd. de la République` and `boulevard Republique` are one street. An article that is the whole name stays: `Allée A`.
 */
export function streetKey(voie: string): string {
  const words = fold(voie).split(' ')
  const begin = words.findIndex((word) => !articles.has(word))
  if (begin < 0) return words.join(' ')
  const [first = '', ...others] = words.slice(begin)
  const named = others.filter((word) => !articles.has(word))
  const rest = named.length > 0 || !isStreetType(first) ? named : others
  return [streetTypes.get(first) ?? first, ...rest].map((word) => titles.get(word) ?? word).join(' ')
}

/**
 * Splits an address into number, suffix and key of the street: `12 bis, r. de la Rép`, `rue de la Rép 12b`. A number that
 * belongs to the name stays in it: `rue du 8 mai 1945`. Of `12-14 rue` the first number counts. Words after a postal code
 * are left out.
 */
export function parseAddress(typed: string): TypedAddress {
  const text = withoutPlace(clip(typed, maxTyped)).replace(/\bn[°º]\s*(?=\d)/iu, '')
  const before = /^\W*(\d{1,4})(?!\d)(?:\s*(?:[-/]|à|et)\s*\d{1,4}(?!\d))?(.*)$/isu.exec(text)
  if (before !== null && !months.has(fold(before[2] ?? '').split(' ')[0] ?? '')) {
    const { suffixe, rest } = takeSuffix(before[2] ?? '')
    return { numero: Number(before[1]), suffixe, street: streetKey(rest) }
  }
  const words = fold(text).split(' ')
  const [, digits, letters = ''] =
    /(?:^| )(\d{1,4}) ?(bis|ter|quater|quinquies|[a-z])?$/.exec(words.join(' ')) ?? []
  const name = words.join(' ').replace(/ ?\d{1,4} ?[a-z]*$/, '')
  if (digits === undefined || belongsToName(name))
    return { numero: null, suffixe: null, street: streetKey(text) }
  return { numero: Number(digits), suffixe: letters || null, street: streetKey(name) }
}

/**
 * Returns the words of a key that names of streets are searched for, without articles, which may be unfinished, and the name
 * without the type of the street, if it has another word.
 */
export function streetWords(key: string): { words: string[]; name: string } {
  const words = key.split(' ').filter((word, at) => at === 0 || !articles.has(word))
  const [first = '', ...others] = words
  return { words, name: isStreetType(first) && others.length > 0 ? others.join(' ') : words.join(' ') }
}

/** True for a street that is named by its type alone, before a word that may be its name: `12 place`. */
export const isStreetAlone = (typed: string): boolean => isStreetType(parseAddress(typed).street)

const maxTyped = 200
/** Cuts a postal code and what follows it. */
const withoutPlace = (typed: string) => /^(.*?[^\s,])[\s,]+\d{5}(?!\d)/s.exec(typed)?.[1] ?? typed

/** Takes `bis` or a letter from the beginning, unless the letter begins the street: `12 r Croix d’Or`, `12 l’Église`. */
function takeSuffix(text: string): { suffixe: string | null; rest: string } {
  const found = /^[\s.,-]*(bis|ter|quater|quinquies|[a-z]\d?)(?![\p{L}\p{N}'’])(.*)$/isu.exec(text)
  if (found === null) return { suffixe: null, rest: text }
  const [, letters = '', rest = ''] = found
  const [next = ''] = fold(rest).split(' ')
  const isStreet = streetTypes.has(letters.toLowerCase()) && !isStreetType(next)
  return isStreet ? { suffixe: null, rest: text } : { suffixe: letters.toLowerCase(), rest }
}

/** True if a number after these words is a part of the name: of a date, a road, or a street without another name. */
function belongsToName(name: string): boolean {
  const words = name.split(' ')
  const last = words.at(-1) ?? ''
  return name === '' || months.has(last) || numbered.has(last) || (words.length === 1 && isStreetType(last))
}

const isStreetType = (word: string) => streetTypes.has(word) || typeNames.has(word)

const abbreviationsOf = (names: Record<string, string>): Map<string, string> =>
  new Map(
    Object.entries(names).flatMap(([name, short]) => short.split(' ').map((word) => [word, name] as const)),
  )

const streetTypes = abbreviationsOf({
  allee: 'all al',
  avenue: 'av ave',
  boulevard: 'bd bld blvd boul bvd',
  carrefour: 'car carr',
  chemin: 'ch che chem chm',
  cours: 'crs',
  esplanade: 'esp',
  faubourg: 'fg fbg',
  hameau: 'ham',
  impasse: 'imp',
  lotissement: 'lot lotiss',
  montee: 'mte',
  passage: 'pas pass',
  place: 'pl plc',
  promenade: 'prom',
  quai: 'qu',
  residence: 'res resid',
  'rond point': 'rpt',
  route: 'rte rt',
  rue: 'r',
  ruelle: 'rle',
  sentier: 'sen sent',
  square: 'sq',
  traverse: 'tra trav',
  venelle: 'ven',
})
const typeNames = new Set([
  ...streetTypes.values(),
  ...'cite clos cour galerie mail parc villa voie zone'.split(' '),
])

const titles = abbreviationsOf({
  capitaine: 'cne capt',
  colonel: 'cel',
  commandant: 'cdt cmdt',
  docteur: 'dr',
  general: 'gal gen',
  lieutenant: 'lt',
  marechal: 'mal',
  president: 'pdt pres',
  professeur: 'pr prof',
  saint: 'st',
  sainte: 'ste',
})

const articles = new Set(['a', 'au', 'aux', 'd', 'de', 'des', 'du', 'en', 'et', 'l', 'la', 'le', 'les'])
const months = new Set(
  'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre'.split(' '),
)
/** Words that a number follows in the name of a road. */
const numbered = new Set(
  'communal communale departemental departementale nationale rural rurale vicinal vicinale rd rn vc cr'.split(
    ' ',
  ),
)
