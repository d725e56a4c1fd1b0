import { personKey } from '../../modules/communes/provenance.ts'
import { fold } from '../../platform/formats/text.ts'
import { uuidv7 } from '../../platform/formats/uuid.ts'
import type { Mandate } from './rne-row.ts'

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

export type Elu = Mandate & { id: string; ordre: number; photo_url: string | null }

/**
 * Computes the new council from the present one and the file. Identifies persons by name: those who stay keep
 * id and photo. Namesakes in one council count as one person, because only the birth date distinguishes them.
 * With `keepOthers`, only a maire with a successor is removed.
 */
export function nextCouncil(existing: Elu[], mandates: Mandate[], keepOthers: boolean): Elu[] {
  const known = new Map(existing.toReversed().map((elu) => [personKey(elu), elu]))
  const named = [...Map.groupBy(mandates, personKey)].map(([key, functions]) =>
    person(functions, known.get(key)),
  )
  named.sort((a, b) => rank(a.fonction) - rank(b.fonction) || compare(personKey(a), personKey(b)))
  const ids = new Set(named.map(({ id }) => id))
  const newMaire = named.some(({ fonction }) => rank(fonction) === 0)
  const stays = ({ id, fonction }: Elu) => !ids.has(id) && !(newMaire && rank(fonction) === 0)
  const all = [...named, ...(keepOthers ? existing.filter(stays) : [])]
  return all.map((elu, index) => ({ ...elu, ordre: index + 1 }))
}

/** Returns the writes that change one council into the other. */
export function councilChanges(existing: Elu[], wanted: Elu[]) {
  const before = new Map(existing.map((elu) => [elu.id, elu]))
  const after = new Set(wanted.map(({ id }) => id))
  return {
    created: wanted.filter(({ id }) => !before.has(id)),
    updated: wanted.filter((elu) => differs(before.get(elu.id), elu)),
    removed: existing.filter(({ id }) => !after.has(id)),
  }
}

const compared = ['nom', 'prenom', 'fonction', 'ordre', 'mandat_debut'] as const

function differs(before: Elu | undefined, after: Elu): boolean {
  return before !== undefined && compared.some((key) => before[key] !== after[key])
}

/** Builds a person from the file's rows, one for each function; the highest function counts. */
function person(functions: Mandate[], known: Elu | undefined): Elu {
  const [best, ...others] = functions.toSorted((a, b) => rank(a.fonction) - rank(b.fonction))
  if (best === undefined) throw new RangeError('a person without a function')
  return {
    id: known?.id ?? uuidv7(),
    nom: spell(best.nom, known?.nom),
    prenom: spell(best.prenom, known?.prenom),
    fonction: best.fonction,
    ordre: 0,
    photo_url: known?.photo_url ?? null,
    mandat_debut: [best, ...others].find(({ mandat_debut }) => mandat_debut !== null)?.mandat_debut ?? null,
  }
}

/** Ranks maire, adjoints by number, adjoints without one, other functions, councillors, in this order. */
export function rank(fonction: string): number {
  const words = fold(fonction)
  if (/^maire\b(?!.*\b(delegue|adjoint|associe|arrondissement|honoraire))/.test(words)) return 0
  if (/\badjointe?\b/.test(words)) {
    const word = words.replace(/^premiere\b/, 'premier').split(' ', 1)[0] ?? ''
    const number = ordinals.indexOf(word) + 1 || Number.parseInt(word, 10)
    return Number.isNaN(number) ? 100 : Math.min(number, 99)
  }
  return /^conseillere? municipale?$/.test(words) ? 300 : 200
}

const ordinals = [
  'premier',
  'deuxieme',
  'troisieme',
  'quatrieme',
  'cinquieme',
  'sixieme',
  'septieme',
  'huitieme',
  'neuvieme',
  'dixieme',
]

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
