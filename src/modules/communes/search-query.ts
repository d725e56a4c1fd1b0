import departements from '@etalab/decoupage-administratif/data/departements.json' with { type: 'json' }
import regions from '@etalab/decoupage-administratif/data/regions.json' with { type: 'json' }
import { fold, hasWord } from '../../platform/formats/text.ts'

/** A département, a region, or both where they share a name (Guadeloupe). */
export type Place = { departement: string | null; region: string | null }

/** Parsed form of a typed search. */
export type SearchQuery = {
  /** The name as typed and with abbreviations expanded; a match on any of them suffices. Empty: no name. */
  names: string[]
  /** A postal code typed with a name or with the word CEDEX. */
  postalCode: string | null
  /** The place after a comma or in parentheses: `Chambéry, Savoie`. */
  within: Place | null
  /** Set if the whole search is the name of a place: its communes match too. */
  place: Place | null
}

const abbreviations = new Map([
  ['st', 'saint'],
  ['ste', 'sainte'],
  ['1e', '1er'],
  ['1ere', '1er'],
])
const writtenOut = (word: string) => abbreviations.get(word) ?? word

const articles = new Set(['la', 'le', 'les', 'l'])

/** Compares names of places like those of communes, and without an article: `Réunion` is La Réunion. */
function placeKey(name: string): string {
  const words = fold(name).split(' ').map(writtenOut)
  return (articles.has(words[0] ?? '') ? words.slice(1) : words).join(' ')
}

const places = new Map<string, Place>()
for (const { code, nom } of regions) places.set(placeKey(nom), { departement: null, region: code })
for (const { code, nom } of departements)
  places.set(placeKey(nom), { departement: code, region: places.get(placeKey(nom))?.region ?? null })
const placesByCode = new Map(departements.map(({ code }) => [code, { departement: code, region: null }]))

export function parseSearch(q: string): SearchQuery {
  const { text, within } = splitPlace(q)
  const words = fold(text).split(' ').filter(Boolean)
  const cedex = words.indexOf('cedex')
  // In `CEDEX 2`, the number identifies a post office.
  if (cedex >= 0) words.splice(cedex, /^\d{1,2}$/.test(words[cedex + 1] ?? '') ? 2 : 1)
  const at = words.findIndex((word) => /^\d{5}$/.test(word))
  const hasOwnCode = at >= 0 && (cedex >= 0 || words.length > 1)
  const [postalCode = null] = hasOwnCode ? words.splice(at, 1) : []
  // Keeps the text as typed if no word was removed: the database folds it as it folds names.
  const name = cedex >= 0 || hasOwnCode ? words.join(' ') : text
  return {
    names: hasWord(name) ? readings(name, words) : [],
    postalCode,
    within,
    place: places.get(placeKey(q)) ?? null,
  }
}

function splitPlace(q: string): { text: string; within: Place | null } {
  const [, name = '', place = ''] = /^([^,(]*)[,(]([^,()]*)\)?\s*$/.exec(q) ?? []
  const within = places.get(placeKey(place)) ?? placesByCode.get(place.trim().toUpperCase()) ?? null
  return within !== null && hasWord(name) ? { text: name, within } : { text: q, within: null }
}

/** Returns the name as typed and, if different, with saints and arrondissements in their usual form. */
function readings(typed: string, words: string[]): string[] {
  const written = words.map((word) => writtenOut(word).replace(/^(\d{1,2})(eme|ieme)$/, '$1e'))
  return words.some((word, at) => word !== written[at]) ? [typed, written.join(' ')] : [typed]
}

/**
 * Returns LIKE patterns for texts that differ by one letter in a word of five letters or more: a letter
 * replaced, added or missing, or two swapped. Returns none for a long text, which would need too many.
 */
export function nearPatterns(name: string): string[] {
  const words = plain(name).split(' ')
  const patterns = words.flatMap((word, place) =>
    word.length < 5 ? [] : nearWords(word).map((near) => `% ${words.with(place, near).join(' ')}%`),
  )
  return patterns.length > 120 ? [] : [...new Set(patterns)]
}

const plain = (name: string) => fold(name).replace(/[^a-z0-9 ]/g, '')

/**
 * Returns two LIKE patterns for each word that may differ. A text that fits one of `nearPatterns` fits one of these: a
 * difference of one letter leaves what precedes or what follows the letter in the middle of its word. What follows has
 * three letters at least, as the index needs.
 */
export function halfPatterns(name: string): string[] {
  const words = plain(name).split(' ')
  return words.flatMap((word, place) => {
    if (word.length < 5) return []
    const middle = Math.min(Math.floor(word.length / 2), word.length - 4)
    const halves = [`${word.slice(0, middle)}%`, `%${word.slice(middle + 1)}`]
    return halves.map((half) => `% ${words.with(place, half).join(' ')}%`)
  })
}

function nearWords(word: string): string[] {
  return [...word].flatMap((letter, at) => {
    const [before, after] = [word.slice(0, at), word.slice(at + 1)]
    const swapped = after === '' ? [] : [`${before}${after[0]}${letter}${after.slice(1)}`]
    // Adds no letter before the first: that would be the middle of a word, which is never searched.
    const longer = at === 0 ? [] : [`${before}_${letter}${after}`]
    return [`${before}_${after}`, `${before}${after}`, ...longer, ...swapped]
  })
}

/** Returns the prefix to search for an unknown postal code: 75000 is Paris, 38025 an office of Grenoble. */
export const nearPostalCode = (code: string) => (code.endsWith('000') ? code.slice(0, 4) : code.slice(0, 3))

/** Returns the départements of a postal code. */
export function departementsOfPostalCode(code: string): string[] {
  if (code.startsWith('20')) return ['2A', '2B']
  return [/^9[78]/.test(code) ? code.slice(0, 3) : code.slice(0, 2)]
}
