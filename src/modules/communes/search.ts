import regions from '@etalab/decoupage-administratif/data/regions.json' with { type: 'json' }
import { type RawBuilder, sql } from 'kysely'
import { allOf, anyOf } from '../../platform/database/conditions.ts'
import { beginsWord } from '../../platform/database/search.ts'
import { byId, downwards, type SortKey, sortOrder } from '../../platform/database/sort-order.ts'
import { fold, hasWord } from '../../platform/formats/text.ts'
import { departements } from './departements.ts'

/** A département, a region, or both where they share a name (Guadeloupe). */
type Place = { departement: string | null; region: string | null }

/** Parsed form of a typed search. */
type SearchQuery = {
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

function parseSearch(q: string): SearchQuery {
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
const nearPostalCode = (code: string) => (code.endsWith('000') ? code.slice(0, 4) : code.slice(0, 3))

/** Returns the départements of a postal code. */
function departementsOfPostalCode(code: string): string[] {
  if (code.startsWith('20')) return ['2A', '2B']
  return [/^9[78]/.test(code) ? code.slice(0, 3) : code.slice(0, 2)]
}

/** Returns the postal code of a commune by which a search found it; null if it was another way. */
export function postalCodeFound(
  q: string,
  precision: Precision,
  { codes_postaux }: { codes_postaux: string[] },
): string | null {
  const beginning = precision === 'exact' ? postalCodeOf(q) : nearPostalCodeOf(q)
  return codes_postaux.find((code) => beginning !== null && code.startsWith(beginning)) ?? null
}

/** Returns the postal code of a search, or its beginning. */
const postalCodeOf = (q: string) => parseSearch(q).postalCode ?? (/^\d+$/.test(q.trim()) ? q.trim() : null)

/** Returns how the postal codes near that of a search begin. Null if it has a name too, which then decides. */
function nearPostalCodeOf(q: string): string | null {
  const { names, postalCode } = parseSearch(q)
  const code = isFullCode(q) ? q.trim() : names.length === 0 ? postalCode : null
  return code === null ? null : nearPostalCode(code)
}

type CommuneFilters = {
  q?: string
  departement?: string
  region?: string
  group_id?: string
  code_insee?: string
}
type Condition = RawBuilder<boolean>
/** `near`: approximate matches, for a search without exact ones. */
export type Precision = 'exact' | 'near'

/** Returns the conditions on `communes` that every list of communes uses. */
export const conditionsOf = (asked: CommuneFilters, precision: Precision): (Condition | false)[] => [
  asked.departement !== undefined && sql`departement = ${asked.departement}`,
  asked.region !== undefined && sql`region = ${asked.region}`,
  asked.group_id !== undefined &&
    sql`id = any(array(select commune_id from group_communes where group_id = ${asked.group_id}))`,
  asked.code_insee !== undefined && hasCode(asked.code_insee),
  asked.q !== undefined && (precision === 'exact' ? isFoundBy(asked.q) : (isNear(asked.q) ?? sql`false`)),
]

/** True if a search without exact matches can be retried with `near`. */
export const hasNear = ({ q }: CommuneFilters): boolean => q !== undefined && isNear(q) !== null

/** Resolves the code of a former commune to the present one. */
const hasCode = (code: string) => sql<boolean>`id = coalesce(
  (select c.id from communes c where c.code_insee = ${code}),
  (select commune_id from commune_aliases where code_insee = ${code}))`

function isFoundBy(q: string): Condition {
  if (!hasWord(q)) return sql<boolean>`true`
  const search = parseSearch(q)
  const { names, postalCode, within, place } = search
  if (postalCode !== null || within !== null)
    return allOf(
      names.length > 0 && isNamed(anyOf(...names.map(beginsWord))),
      postalCode !== null && hasPostalCode(postalCode),
      within !== null && liesIn(within),
    )
  if (isFullCode(q)) return hasFullCode(q.trim())
  const ways = names.length > 0 ? [isNamed(anyOf(...names.map(beginsWord)))] : []
  if (place !== null) ways.push(liesIn(place))
  const code = q.trim().toUpperCase()
  if (/^[0-9][0-9AB][0-9]{0,3}$/.test(code)) ways.push(sql`code_insee like ${`${code}%`}`)
  return ways.length > 0 ? anyOf(...ways) : sql<boolean>`false`
}

const isFullCode = (q: string) => /^\d{5}$/.test(q.trim())

/** Five digits are a postal code; only one that no commune has is an INSEE code, which may be that of a former commune. */
const hasFullCode = (code: string): Condition =>
  anyOf(
    hasPostalCode(code),
    allOf(
      sql`not exists (select from communes c where c.search_text like ${`% ${code}%`})`,
      anyOf(
        sql`code_insee = ${code}`,
        sql`id = any(array(select commune_id from commune_aliases where code_insee = ${code}))`,
      ),
    ),
  )

/** Matches the communes that a search names in full: by a name, present or former, by a postal or by an INSEE code. */
export function isNamedInFull(q: string): Condition {
  const { names, postalCode } = parseSearch(q)
  const keys = sql.join(names.map((name) => sql`search_key(${name})`))
  const code = postalCode ?? q.trim().toUpperCase()
  const byCode = [
    sql<boolean>`${code} = any(codes_postaux)`,
    sql<boolean>`code_insee = ${code}`,
    sql<boolean>`id = any(array(select commune_id from commune_aliases where code_insee = ${code}))`,
  ]
  const isCodeAlone = names.length === 0 || postalCode === null
  const byName = [
    sql<boolean>`sort_name in (${keys})`,
    ...['commune_aliases', 'commune_former_names'].map(
      (table) =>
        sql<boolean>`id = any(array(select commune_id from ${sql.table(table)} where search_key(nom) in (${keys})))`,
    ),
  ]
  return anyOf(...(isCodeAlone ? byCode : []), ...(names.length > 0 ? byName : []))
}

function isNear(q: string): Condition | null {
  const search = parseSearch(q)
  const { names, within } = search
  const near = nearPostalCodeOf(q)
  if (near !== null) return hasPostalCode(near)
  const code = search.postalCode
  const name = names.at(-1) ?? ''
  const patterns = nearPatterns(name)
  // The name has priority over a postal code that does not belong to it.
  const exact = code === null ? [] : names.map(beginsWord)
  const texts = [...exact, ...(patterns.length > 0 ? [isLike(name, patterns)] : [])]
  if (texts.length === 0) return null
  return allOf(
    isNamed(anyOf(...texts)),
    code !== null && sql`departement in (${sql.join(departementsOfPostalCode(code))})`,
    within !== null && liesIn(within),
  )
}

/**
 * The index gets few patterns, because each costs a search for all its trigrams: of a name of three words or more, its two
 * longest words, of which one is as typed; of a shorter one, the halves, or all patterns where the halves are too short to
 * select few texts. The texts that it selects are compared with the halves, and what passes with all patterns.
 */
function isLike(name: string, patterns: string[]): Condition {
  const [longest, second, ...others] = plain(name)
    .split(' ')
    .toSorted((one, other) => other.length - one.length)
  const halves = halfPatterns(name)
  if (others.length === 0 && patterns.length < manyPatterns)
    return allOf(anyOf(...halves.map(like)), anyOf(...patterns.map(like)))
  const selected = others.length === 0 ? halves : [`% ${longest}%`, `% ${second}%`]
  return allOf(
    anyOf(...selected.map(like)),
    sql`case when search_text like any(${halves}::text[]) then search_text like any(${patterns}::text[]) else false end`,
  )
}
const like = (pattern: string) => sql<boolean>`search_text like ${pattern}`
/** As many as a word of seven letters has. */
const manyPatterns = 26

/** Applies a condition to the present name and to names of former communes with and without a code. */
const isNamed = (byText: Condition): Condition =>
  anyOf(
    byText,
    sql<boolean>`id = any(array(select commune_id from commune_aliases where ${byText}))`,
    sql<boolean>`id = any(array(select commune_id from commune_former_names where ${byText}))`,
  )

const hasPostalCode = (beginning: string) => sql<boolean>`search_text like ${`% ${beginning}%`}`

const liesIn = ({ departement, region }: Place): Condition =>
  anyOf(
    ...(departement === null ? [] : [sql<boolean>`departement = ${departement}`]),
    ...(region === null ? [] : [sql<boolean>`region = ${region}`]),
  )

/**
 * Sorts by name. With `q`: the exact name, then names with that prefix, then the rest, then communes that
 * match only by département or region; each group by population, largest first. Ignores a `q` without a
 * letter or digit.
 */
export function defaultKeys({ q = '' }: CommuneFilters): SortKey[] {
  if (!hasWord(q)) return byName
  const { names, place } = parseSearch(q)
  if (names.length === 0) return [byPopulation, ...byName]
  const keys = names.map((name) => sql`search_key(${name})`)
  const begins = anyOf(...keys.map((key) => sql<boolean>`sort_name like ${key} || '%'`))
  const byPlace = place === null ? sql`` : sql`when not ${anyOf(...names.map(beginsWord))} then 3`
  const nearness = sql`case when sort_name in (${sql.join(keys)}) then 0 when ${begins} then 1 ${byPlace} else 2 end`
  return [{ by: nearness, type: 'number' }, byPopulation, ...byName]
}

const byName: SortKey[] = [{ by: sql`sort_name`, type: 'text' }, byId]
const byPopulation = downwards({ by: sql`population`, type: 'number', isNullable: true })

export const defaultOrder = (asked: CommuneFilters) => sortOrder('communes', defaultKeys(asked)).by
