import { type RawBuilder, sql } from 'kysely'
import { allOf, anyOf } from '../../platform/database/conditions.ts'
import { beginsWord } from '../../platform/database/search.ts'
import { byId, downwards, type SortKey, sortOrder } from '../../platform/database/sort-order.ts'
import { hasWord } from '../../platform/formats/text.ts'
import {
  departementsOfPostalCode,
  halfPatterns,
  nearPatterns,
  nearPostalCode,
  type Place,
  parseSearch,
} from './search-query.ts'

type Asked = { q?: string; departement?: string; region?: string; code_insee?: string }
type Condition = RawBuilder<boolean>
/** `near`: approximate matches, for a search without exact ones. */
export type Precision = 'exact' | 'near'

/** Returns the conditions on `communes` that every list of communes uses. */
export const conditionsOf = (asked: Asked, precision: Precision): (Condition | false)[] => [
  asked.departement !== undefined && sql`departement = ${asked.departement}`,
  asked.region !== undefined && sql`region = ${asked.region}`,
  asked.code_insee !== undefined && hasCode(asked.code_insee),
  asked.q !== undefined && (precision === 'exact' ? isFoundBy(asked.q) : (isNear(asked.q) ?? sql`false`)),
]

/** True if a search without exact matches can be retried with `near`. */
export const hasNear = ({ q }: Asked): boolean => q !== undefined && isNear(q) !== null

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
  const ways = names.length > 0 ? [isNamed(anyOf(...names.map(beginsWord)))] : []
  if (place !== null) ways.push(liesIn(place))
  const code = q.trim().toUpperCase()
  if (/^[0-9][0-9AB][0-9]{0,3}$/.test(code)) ways.push(sql`code_insee like ${`${code}%`}`)
  return ways.length > 0 ? anyOf(...ways) : sql<boolean>`false`
}

function isNear(q: string): Condition | null {
  const search = parseSearch(q)
  const { names, within } = search
  const code = search.postalCode ?? (/^\d{5}$/.test(q.trim()) ? q.trim() : null)
  const isCodeAlone = code !== null && (search.postalCode === null || names.length === 0)
  if (isCodeAlone) return hasPostalCode(nearPostalCode(code))
  const name = names.at(-1) ?? ''
  const patterns = nearPatterns(name)
  // The name has priority over a postal code that does not belong to it.
  const exact = code === null ? [] : names.map(beginsWord)
  const texts = [...exact, ...(patterns.length > 0 ? [isLike(halfPatterns(name), patterns)] : [])]
  if (texts.length === 0) return null
  return allOf(
    isNamed(anyOf(...texts)),
    code !== null && sql`departement in (${sql.join(departementsOfPostalCode(code))})`,
    within !== null && liesIn(within),
  )
}

/**
 * The halves select few texts by the index, or reject one quickly. Short ones select too many, so the index gets all
 * patterns; many would cost more to plan, and to search for, than a look at what the halves select (`|| ''`: not by the index).
 */
const isLike = (halves: string[], patterns: string[]): Condition =>
  allOf(
    anyOf(...halves.map(like)),
    patterns.length < manyPatterns
      ? anyOf(...patterns.map(like))
      : sql`search_text || '' like any((select ${patterns}::text[])::text[])`,
  )
const like = (pattern: string) => sql<boolean>`search_text like ${pattern}`
/** Those of a word of seven letters. */
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
export function defaultKeys({ q = '' }: Asked): SortKey[] {
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

export const defaultOrder = (asked: Asked) => sortOrder('communes', defaultKeys(asked)).by
