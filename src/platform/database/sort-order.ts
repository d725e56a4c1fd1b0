import { type RawBuilder, sql } from 'kysely'
import { anyOf } from './conditions.ts'

/** A column or expression that a list is sorted by, written as in its index. Rows without a value come last. */
export type SortKey = {
  by: RawBuilder<unknown>
  type: 'id' | 'time' | 'date' | 'number' | 'text'
  isNullable?: boolean
  isDescending?: boolean
}
export type SortValue = string | number | null

/** A total order of the rows of a list: its last key is unique. */
export type SortOrder = {
  /** Distinguishes positions in this order from positions in any other. */
  name: string
  keys: SortKey[]
  /** For `order by`. */
  by: RawBuilder<unknown>
  /** The position of a row, to be selected as `sort_values`. */
  values: RawBuilder<unknown>
  /** Returns conditions for the rows after a position, one per contiguous part, in sort order. */
  after(position: SortValue[]): RawBuilder<boolean>[]
}

/** Creates a sort order. Without an index (`isIndexed: false`), one condition selects all later rows. */
export function sortOrder(name: string, keys: SortKey[], { isIndexed = true } = {}): SortOrder {
  const partsAfter = (position: SortValue[]) => conditionsAfter(keys, position)
  return {
    name,
    keys,
    by: sql.join(keys.map(asSorted)),
    values: sql`json_build_array(${sql.join(keys.map(({ by }) => by))})`,
    after: (position) => (isIndexed ? partsAfter(position) : [anyOf(...partsAfter(position))]),
  }
}

export const downwards = (key: SortKey): SortKey => ({ ...key, isDescending: true })

/** Tie-breaker of almost every list. */
export const byId: SortKey = { by: sql`id`, type: 'id' }

const asSorted = ({ by, isNullable, isDescending }: SortKey) =>
  sql`${by}${isDescending ? (isNullable ? sql` desc nulls last` : sql` desc`) : sql``}`

/** Puts rows whose first key is null into a separate part: an index leads to the start of each part. */
function conditionsAfter(keys: SortKey[], position: SortValue[]): RawBuilder<boolean>[] {
  const [first, ...rest] = keys
  if (first === undefined) return []
  if (!first.isNullable) return [isAfter(keys, position)]
  const hasNone = sql<boolean>`${first.by} is null`
  if (position[0] === null) return [sql`${hasNone} and ${isAfter(rest, position.slice(1))}`]
  return [isAfter([{ ...first, isNullable: false }, ...rest], position), hasNone]
}

function isAfter(keys: SortKey[], position: SortValue[]): RawBuilder<boolean> {
  const [key, ...rest] = keys
  const [value, ...others] = position
  if (key === undefined) return sql<boolean>`false`
  const direction = sql.raw(key.isDescending ? '<' : '>')
  const isPlain = keys.every((one) => !one.isNullable && !one.isDescending === !key.isDescending)
  if (isPlain)
    return sql<boolean>`(${sql.join(keys.map(({ by }) => by))}) ${direction} (${sql.join(position)})`
  const { by } = key
  if (value === null) return sql<boolean>`(${by} is null and ${isAfter(rest, others)})`
  const isFurther = sql<boolean>`${by} ${direction} ${value}`
  if (!key.isNullable)
    return sql<boolean>`(${by} ${direction}= ${value} and (${isFurther} or ${isAfter(rest, others)}))`
  return sql<boolean>`(${isFurther} or ${by} is null or (${by} = ${value} and ${isAfter(rest, others)}))`
}
