import { type RawBuilder, sql } from 'kysely'
import type { SortKey } from '../../../platform/database/sort-order.ts'
import type { Sort } from './schema.ts'

type Column = { name: string; type: SortKey['type']; isNullable?: true }

/** The column of each sort. Rows without a time or day come last both ways. */
const columns = {
  created_at: { name: 'created_at', type: 'time' },
  updated_at: { name: 'updated_at', type: 'time' },
  publie_le: { name: 'publie_le', type: 'time', isNullable: true },
  date_debut: { name: 'date_debut', type: 'date', isNullable: true },
  titre: { name: 'sort_title', type: 'text' },
} satisfies Record<string, Column>
type Key = keyof typeof columns

const keyOf = (sort: Sort) => sort.replace(/_(asc|desc)$/, '') as Key
export const columnOf = (sort: Sort): string => columns[keyOf(sort)].name
export const sorts = Object.keys(columns).flatMap((key) => [`${key}_desc`, `${key}_asc`]) as Sort[]

/** Keys of each sort, over rows `l`; of duplicates, whose groups take the position of their first member. */
export function sortKeys({ ofGroups }: { ofGroups: boolean }): Record<Key, SortKey[]> {
  const keys = ({ name, ...column }: Column): SortKey[] => [
    ...(ofGroups
      ? [
          { ...column, by: sql`l.first_value` },
          { by: sql`l.first_id`, type: 'id' as const },
        ]
      : []),
    { ...column, by: sql.ref(`l.${name}`) },
    { by: sql`l.id`, type: 'id' },
  ]
  return Object.fromEntries(Object.entries(columns).map(([key, column]) => [key, keys(column)])) as Record<
    Key,
    SortKey[]
  >
}

/** The order of the rows of `table`. */
export function inOrder(sort: Sort, table: string): RawBuilder<unknown> {
  const direction = sql.raw(sort.endsWith('_asc') ? 'asc' : 'desc')
  return sql`${sql.ref(`${table}.${columnOf(sort)}`)} ${direction} nulls last, ${sql.ref(`${table}.id`)} ${direction}`
}

/** True if row `one` precedes row `other`. */
export function precedes(sort: Sort, one: string, other: string): RawBuilder<boolean> {
  const { name, isNullable }: Column = columns[keyOf(sort)]
  const isAscending = sort.endsWith('_asc')
  const place = (row: string) => {
    const value = sql.ref(`${row}.${name}`)
    const last = sql.lit(isAscending ? 'infinity' : '-infinity')
    return sql`(${isNullable ? sql`coalesce(${value}, ${last})` : value}, ${sql.ref(`${row}.id`)})`
  }
  return sql<boolean>`${place(one)} ${sql.raw(isAscending ? '<' : '>')} ${place(other)}`
}
