import { type RawBuilder, sql } from 'kysely'
import { downwards, type SortKey, type SortOrder, sortOrder } from '../../../platform/database/sort-order.ts'
import type { Sort } from './schema.ts'

type Order = {
  column: string
  /** The sort keys of the row with this alias, written as in the sort's index. */
  keys: (alias: string) => SortKey[]
  /** The `order by` terms, written as in the sort's index. */
  by: (alias: string) => RawBuilder<unknown>
  /** The reverse order. */
  byBackwards: (alias: string) => RawBuilder<unknown>
  /** True if the first row precedes the other. */
  isBefore: (alias: string, other: string) => RawBuilder<unknown>
}

type Column = Pick<SortKey, 'type'> & { column: string; absent?: 'infinity' | '-infinity' }

function orderBy({ column, type, absent }: Column, direction: 'asc' | 'desc'): Order {
  const isNullable = absent !== undefined
  const keys = (alias: string) => {
    const both: SortKey[] = [
      { by: sql.ref(`${alias}.${column}`), type, isNullable },
      { by: sql.ref(`${alias}.id`), type: 'id' },
    ]
    return direction === 'asc' ? both : both.map(downwards)
  }
  // Null times sort last in both directions.
  const key = (alias: string) => {
    const value = sql.ref(`${alias}.${column}`)
    const comparable = absent === undefined ? value : sql`coalesce(${value}, ${sql.lit(absent)})`
    return sql`(${comparable}, ${sql.ref(`${alias}.id`)})`
  }
  const backwards = sql.raw(direction === 'asc' ? 'desc' : 'asc')
  return {
    column,
    keys,
    by: (alias) => sortOrder('', keys(alias)).by,
    byBackwards: (alias) =>
      sql`${sql.ref(`${alias}.${column}`)} ${backwards} ${isNullable ? sql`nulls first` : sql``},
        ${sql.ref(`${alias}.id`)} ${backwards}`,
    isBefore: (alias, other) => sql`${key(alias)} ${sql.raw(direction === 'asc' ? '<' : '>')} ${key(other)}`,
  }
}

const created: Column = { column: 'created_at', type: 'time' }
const updated: Column = { column: 'updated_at', type: 'time' }
const publie: Column = { column: 'publie_le', type: 'time' }
const debut: Column = { column: 'date_debut', type: 'date' }
const titre: Column = { column: 'sort_title', type: 'text' }

const orders: Record<Sort, Order> = {
  created_at_desc: orderBy(created, 'desc'),
  created_at_asc: orderBy(created, 'asc'),
  updated_at_desc: orderBy(updated, 'desc'),
  updated_at_asc: orderBy(updated, 'asc'),
  publie_le_desc: orderBy({ ...publie, absent: '-infinity' }, 'desc'),
  publie_le_asc: orderBy({ ...publie, absent: 'infinity' }, 'asc'),
  date_debut_desc: orderBy({ ...debut, absent: '-infinity' }, 'desc'),
  date_debut_asc: orderBy({ ...debut, absent: 'infinity' }, 'asc'),
  titre_desc: orderBy(titre, 'desc'),
  titre_asc: orderBy(titre, 'asc'),
}

export const sorts = Object.keys(orders) as Sort[]

type Sorted = { sort?: Sort; duplicates?: boolean }

export const orderOf = ({ sort = 'created_at_desc' }: Sorted): Order => orders[sort]

/** The order of a list of publications, or of groups of duplicates by their first members. */
export function listOrderOf(
  query: Sorted,
  { row, first, isIndexed = true }: { row: string; first: string; isIndexed?: boolean },
): SortOrder {
  const { keys } = orderOf(query)
  const { sort = 'created_at_desc', duplicates = false } = query
  return duplicates
    ? sortOrder(`duplicates ${sort}`, [...keys(first), ...keys(row)], { isIndexed })
    : sortOrder(`publications ${sort}`, keys(row), { isIndexed })
}
