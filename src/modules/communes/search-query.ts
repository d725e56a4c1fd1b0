import departements from '@etalab/decoupage-administratif/data/departements.json' with { type: 'json' }
import regions from '@etalab/decoupage-administratif/data/regions.json' with { type: 'json' }
import { fold } from '../../platform/text.ts'

/** A département, a region, or both where they share a name (Guadeloupe). */
export type Place = { departement: string | null; region: string | null }

/** Parsed form of a typed search. */
export type SearchQuery = {
  /** The name, as it is typed and with abbreviations written out; any of them will do. Empty: no name. */
  names: string[]
  /** A postal code beside a name, or with the word CEDEX. */
  postalCode: string | null
  /** After a comma or in parentheses: `Chambéry, Savoie`. */
  within: Place | null
  /** The whole search is the name of a place: its communes are found too. */
  place: Place | null
}

const places = new Map<string, Place>()
for (const { code, nom } of regions) places.set(fold(nom), { departement: null, region: code })
for (const { code, nom } of departements)
  places.set(fold(nom), { departement: code, region: places.get(fold(nom))?.region ?? null })
const placesByCode = new Map(departements.map(({ code }) => [code, { departement: code, region: null }]))

export function parseSearch(q: string): SearchQuery {
  const { text, within } = splitPlace(q)
  const words = fold(text).split(' ').filter(Boolean)
  const cedex = words.indexOf('cedex')
  // `CEDEX 2`: the number is that of an office.
  if (cedex >= 0) words.splice(cedex, /^\d{1,2}$/.test(words[cedex + 1] ?? '') ? 2 : 1)
  const at = words.findIndex((word) => /^\d{5}$/.test(word))
  const hasOwnCode = at >= 0 && (cedex >= 0 || words.length > 1)
  const [postalCode = null] = hasOwnCode ? words.splice(at, 1) : []
  // As it was typed, where nothing was taken out: the database folds it as it folds names.
  const name = cedex >= 0 || hasOwnCode ? words.join(' ') : text
  return {
    names: isAsked(name) ? readings(name, words) : [],
    postalCode,
    within,
    place: places.get(fold(q)) ?? null,
  }
}

export const isAsked = (text: string) => /[\p{L}\p{N}]/u.test(text)

function splitPlace(q: string): { text: string; within: Place | null } {
  const [, name = '', place = ''] = /^([^,(]*)[,(]([^,()]*)\)?\s*$/.exec(q) ?? []
  const within = places.get(fold(place)) ?? placesByCode.get(place.trim().toUpperCase()) ?? null
  return within !== null && isAsked(name) ? { text: name, within } : { text: q, within: null }
}

/** As it is typed, and with saints and numbers of arrondissements written as names have them. */
function readings(typed: string, words: string[]): string[] {
  const written = words.map((word) => abbreviations.get(word) ?? word.replace(/^(\d{1,2})(eme|ieme)$/, '$1e'))
  return words.some((word, at) => word !== written[at]) ? [typed, written.join(' ')] : [typed]
}

const abbreviations = new Map([
  ['st', 'saint'],
  ['ste', 'sainte'],
  ['1e', '1er'],
  ['1ere', '1er'],
])

/**
 * Patterns of LIKE for texts that differ by one letter in one of their words of five letters or more: another letter, one
 * too many, one too few, or two that changed places. A long text has too many of them, and none is tried.
 */
export function nearPatterns(name: string): string[] {
  const words = fold(name)
    .replace(/[^a-z0-9 ]/g, '')
    .split(' ')
  const patterns = words.flatMap((word, place) =>
    word.length < 5 ? [] : nearWords(word).map((near) => `% ${words.with(place, near).join(' ')}%`),
  )
  return patterns.length > 120 ? [] : [...new Set(patterns)]
}

function nearWords(word: string): string[] {
  return [...word].flatMap((letter, at) => {
    const [before, after] = [word.slice(0, at), word.slice(at + 1)]
    const swapped = after === '' ? [] : [`${before}${after[0]}${letter}${after.slice(1)}`]
    // A word without its first letter is the middle of a word, which is never looked for.
    const longer = at === 0 ? [] : [`${before}_${letter}${after}`]
    return [`${before}_${after}`, `${before}${after}`, ...longer, ...swapped]
  })
}

/** The beginnings by which a postal code that no commune has is looked for: 75000 is Paris, 38025 an office of Grenoble. */
export const nearPostalCode = (code: string) => (code.endsWith('000') ? code.slice(0, 4) : code.slice(0, 3))

/** The départements in which a postal code lies. */
export function departementsOfPostalCode(code: string): string[] {
  if (code.startsWith('20')) return ['2A', '2B']
  return [/^9[78]/.test(code) ? code.slice(0, 3) : code.slice(0, 2)]
}
