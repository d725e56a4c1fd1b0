import { type RawBuilder, sql } from 'kysely'
import type { Sort } from './schema.ts'

type Order = {
  column: string
  /** Written as in the sort's index. */
  by: (alias: string) => RawBuilder<unknown>
  /** The reverse order. */
  byBackwards: (alias: string) => RawBuilder<unknown>
  /** Compares two rows. */
  isBefore: (alias: string, other: string) => RawBuilder<unknown>
}

function orderBy(column: string, direction: 'asc' | 'desc', absent?: 'infinity' | '-infinity'): Order {
  const by = (way: 'asc' | 'desc', nulls: string) => (alias: string) => {
    const [value, id] = [sql.ref(`${alias}.${column}`), sql.ref(`${alias}.id`)]
    return sql`${value} ${sql.raw(way)} ${sql.raw(nulls)}, ${id} ${sql.raw(way)}`
  }
  // Rows without a time come last in both directions.
  const key = (alias: string) => {
    const value = sql.ref(`${alias}.${column}`)
    const comparable = absent === undefined ? value : sql`coalesce(${value}, ${sql.lit(absent)})`
    return sql`(${comparable}, ${sql.ref(`${alias}.id`)})`
  }
  return {
    column,
    by: by(direction, absent === '-infinity' ? 'nulls last' : ''),
    byBackwards: by(direction === 'asc' ? 'desc' : 'asc', absent === '-infinity' ? 'nulls first' : ''),
    isBefore: (alias, other) => sql`${key(alias)} ${sql.raw(direction === 'asc' ? '<' : '>')} ${key(other)}`,
  }
}

const orders: Record<Sort, Order> = {
  created_at_desc: orderBy('created_at', 'desc'),
  created_at_asc: orderBy('created_at', 'asc'),
  updated_at_desc: orderBy('updated_at', 'desc'),
  updated_at_asc: orderBy('updated_at', 'asc'),
  publie_le_desc: orderBy('publie_le', 'desc', '-infinity'),
  publie_le_asc: orderBy('publie_le', 'asc', 'infinity'),
  date_debut_desc: orderBy('date_debut', 'desc', '-infinity'),
  date_debut_asc: orderBy('date_debut', 'asc', 'infinity'),
  titre_desc: orderBy('sort_title', 'desc'),
  titre_asc: orderBy('sort_title', 'asc'),
}

export const sorts = Object.keys(orders) as Sort[]

export const orderOf = ({ sort = 'created_at_desc' }: { sort?: Sort }): Order => orders[sort]
