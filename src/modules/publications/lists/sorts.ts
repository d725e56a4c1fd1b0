import { type RawBuilder, sql } from 'kysely'
import type { Sort } from './schema.ts'

type Order = {
  column: string
  /** As the sort's index has it. */
  by: (alias: string) => RawBuilder<unknown>
  /** From its other end. */
  byBackwards: (alias: string) => RawBuilder<unknown>
  /** Whether one row stands before another. */
  isBefore: (alias: string, other: string) => RawBuilder<unknown>
}

function orderBy(column: string, direction: 'asc' | 'desc', absent?: 'infinity' | '-infinity'): Order {
  const by = (way: 'asc' | 'desc', nulls: string) => (alias: string) => {
    const [value, id] = [sql.ref(`${alias}.${column}`), sql.ref(`${alias}.id`)]
    return sql`${value} ${sql.raw(way)} ${sql.raw(nulls)}, ${id} ${sql.raw(way)}`
  }
  // What has no time comes last, either way.
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
