import type { Database } from '../../../platform/database/connect.ts'
import { parseAddress, streetKey, streetWords, type TypedAddress } from '../../../platform/formats/address.ts'
import { isInArea } from '../../../platform/formats/area.ts'
import { lettersBetween } from '../../../platform/formats/text.ts'
import { type Suggestion, suggestAddresses } from '../../addresses/suggesting.ts'
import { listSecteurRows } from './queries.ts'
import type { SecteurRow } from './schema.ts'
import type { Street } from './streets.ts'

/** What an address leads to: one secteur, several, or none, but addresses that may be meant. `needsNumber`: its number would tell. */
export type ByAddress = { secteurs: string[]; needsNumber: boolean; suggestions: string[] }

const maxSuggestions = 8

/**
 * Finds the secteurs of an address of a commune: by the streets of each, else by the area in which the address lies, else by
 * the name of a secteur, which people type as that of their quarter.
 */
export async function findByAddress(db: Database, communeId: string, typed: string): Promise<ByAddress> {
  const address = parseAddress(typed)
  if (address.street === '') return { secteurs: [], needsNumber: false, suggestions: [] }
  const [rows, known] = await Promise.all([
    listSecteurRows(db, communeId),
    suggestAddresses(db, communeId, typed, maxSuggestions),
  ])
  const byStreet = secteursOfStreet(rows, address)
  const secteurs = byStreet.length > 0 ? byStreet : secteursOfArea(rows, address, known)
  const suggestions = secteurs.length > 0 ? [] : suggestionsOf(rows, address, known)
  const isInSomeArea =
    rows.some(({ zone }) => zone !== null) && known.some(({ voie }) => streetKey(voie) === address.street)
  const needsNumber =
    address.numero === null && (secteurs.length > 1 || (secteurs.length === 0 && isInSomeArea))
  if (secteurs.length > 0 || suggestions.length > 0 || needsNumber)
    return { secteurs, needsNumber, suggestions }
  const named = secteursNamed(rows, address)
  const mistyped = named.length > 0 ? [] : suggestionsOf(rows, address, known, isMistyped)
  return { secteurs: named, needsNumber, suggestions: mistyped }
}

/** Lists the names of the secteurs that have all words typed. Neither the beginning of a word nor a street is enough. */
function secteursNamed(rows: readonly SecteurRow[], { numero, street }: TypedAddress): string[] {
  const words = street.split(' ').filter((word) => word !== 'secteur')
  if (numero !== null || words.length === 0) return []
  return distinct(rows.filter(({ nom }) => new Set(words).isSubsetOf(new Set(streetKey(nom).split(' ')))))
}

/** Lists the names of the secteurs that have a street. Its numbers or a side count before the whole street. */
function secteursOfStreet(rows: readonly SecteurRow[], { numero, street }: TypedAddress): string[] {
  const found = rows.flatMap(({ nom, rues }) =>
    rues.filter(({ rue }) => streetKey(rue) === street).map((one) => ({ nom, one })),
  )
  if (numero === null) return distinct(found)
  const serving = found.filter(({ one }) => hasNumber(one, numero))
  const exact = serving.filter(({ one }) => !isWhole(one))
  return distinct(exact.length > 0 ? exact : serving)
}

const distinct = (found: readonly { nom: string }[]) => [...new Set(found.map(({ nom }) => nom))]

const isWhole = ({ de, a, cote }: Street) => de === null && a === null && cote === null

function hasNumber({ de, a, cote }: Street, numero: number): boolean {
  const isOnSide = cote === null || (cote === 'pair') === (numero % 2 === 0)
  return isOnSide && (de ?? 0) <= numero && numero <= (a ?? numero)
}

/** Lists the names of the secteurs in whose area the address lies; without a number nobody knows where in its street. */
function secteursOfArea(
  rows: readonly SecteurRow[],
  { numero, street }: TypedAddress,
  known: readonly Suggestion[],
): string[] {
  if (numero === null) return []
  const places = known.filter((one) => one.numero === numero && streetKey(one.voie) === street)
  return distinct(rows.filter(({ zone }) => zone !== null && places.some((place) => isInArea(place, zone))))
}

/** Suggests what was typed in part, or in other words: streets of secteurs, and of the addresses of the commune. */
function suggestionsOf(
  rows: readonly SecteurRow[],
  { numero, suffixe, street }: TypedAddress,
  known: readonly Suggestion[],
  alike?: Alike,
): string[] {
  const { words } = streetWords(street)
  const hasZones = rows.some(({ zone }) => zone !== null)
  const listed = new Map(rows.flatMap(({ rues }) => rues.map(({ rue }) => [streetKey(rue), rue] as const)))
  const ofCommune = known.filter(({ voie }) => hasZones || listed.has(streetKey(voie)))
  const ofSecteurs = [...listed.values()]
    .filter((rue) => hasBeginnings(rue, words, alike))
    .map((rue) => ({ voie: rue, numero, suffixe }))
  const asked = `${numero ?? ''} ${street}`
  const texts = [...ofSecteurs, ...ofCommune]
    .filter((one) => `${one.numero ?? ''} ${streetKey(one.voie)}` !== asked)
    .map(textOf)
  return [...new Set(texts)].slice(0, maxSuggestions)
}

type Alike = (one: string, word: string) => boolean

/** True if each word begins one of a name, or is like one by `alike`. */
function hasBeginnings(name: string, words: readonly string[], alike: Alike = () => false): boolean {
  const own = streetKey(name).split(' ')
  return words.every((word) => own.some((one) => one.startsWith(word) || alike(one, word)))
}

/** True if a letter, or two of a long word, are wrong, missing or too many. */
function isMistyped(one: string, word: string): boolean {
  const most = word.length < 8 ? 1 : 2
  return word.length > 3 && Math.abs(one.length - word.length) <= most && lettersBetween(one, word) <= most
}

const textOf = ({ voie, numero, suffixe }: Pick<Suggestion, 'voie' | 'numero' | 'suffixe'>) =>
  [numero, suffixe, voie].filter((part) => part !== null).join(' ')
