import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../database/conditions.ts'
import type { Database } from '../../database/connect.ts'
import { downwards, type SortKey, type SortOrder, sortOrder } from '../../database/sort-order.ts'
import {
  maxCounted,
  maxCountedOfList,
  type Paging,
  requireReached,
  type Total,
  totalOfList,
  totalOfSearch,
} from './paging.ts'
import { type Part, readSlice, type Slice, type SliceRow } from './slice.ts'

type Paged = 'page' | 'per_page' | 'after' | 'sort'
type SortOf<Query> = 'sort' extends keyof Query ? NonNullable<Query['sort' & keyof Query]> : string
type KeyOf<Sort> = Sort extends `${infer Key}_asc` ? Key : string extends Sort ? string : never

/** A list of records: `readList` reads its pages, the rows after a cursor and its total. */
export type List<Query, Row> = {
  /** Distinguishes its cursors from those of other lists. */
  name: string
  /** Common table expressions that `from` names. */
  with?: RawBuilder<unknown>
  /** A table, with others that the conditions need. */
  from: RawBuilder<unknown>
  /** The name of a row in `from`, for conditions, sorts and columns. */
  as: string
  /** Condition of every row. */
  where?: RawBuilder<unknown>
  /** Conditions of the filters that a query has; false filters nothing. */
  filters: {
    [Name in Exclude<keyof Query & string, Paged>]-?: (
      value: NonNullable<Query[Name]>,
      query: Query,
    ) => RawBuilder<unknown> | false
  }
  /** Each sort in the form of its index. Its last key is unique; rows without a value come last both ways. */
  sorts: Record<KeyOf<SortOf<Query>>, SortKey[]>
  /** The sort, and perhaps filters, of a query that has none. */
  defaults: Omit<Partial<Query>, 'sort'> & { sort: SortOf<Query> }
  /** Evaluated for the rows of the page only. */
  columns: RawBuilder<Row>
  /** Joins that only the columns need. */
  join?: RawBuilder<unknown>
  /** Selects the first matches in order, at least `limit` if there are, if there is a faster way than to filter `from`. */
  first?: (matches: RawBuilder<boolean>, by: RawBuilder<unknown>, limit: number) => RawBuilder<unknown>
  /** Reads whole rows for the ids of the page only, because an index has all that filters and sorts need. */
  picksIds?: true
  /** True if few rows match: PostgreSQL should filter before it sorts, not walk the index of the sort. */
  filtersFirst?: (query: Query) => boolean
  /** Counts the matches in another way than by reading them, up to one more than is shown. */
  total?: RawBuilder<number>
  /** True for a search, of which fewer matches are counted. Default: a query with `q`. */
  isSearch?: boolean
}

export type ListResult<Row> = Slice<Row> & Total

/**
 * Reads a page of a list, or the rows after a cursor, with the total: in one statement if the list has a cheap `total`,
 * otherwise by a second one at the same time. Of a page that may lie behind what is counted, the total comes first.
 */
export async function readList<Query extends object, Row extends object>(
  db: Database,
  list: List<Query, Row>,
  given: NoInfer<Query>,
  { limit, offset, after, isCounted }: Pick<Paging, 'limit' | 'offset' | 'after' | 'isCounted'>,
): Promise<ListResult<Row>> {
  const query = { ...list.defaults, ...given }
  const order = orderOf(list, `${query.sort}`)
  const isSearch = list.isSearch ?? ('q' in query && query.q !== undefined)
  const totalOf = isSearch ? totalOfSearch : totalOfList
  const { page, count } = statementsOf({ ...list, isSearch }, query, order)
  if (isCounted && offset >= (isSearch ? maxCounted : maxCountedOfList)) {
    const { rows } = await count.execute(db)
    const total = totalOf(rows[0]?.total ?? 0)
    requireReached(total, { offset, ...(after !== undefined && { after }) })
    return { rows: [], next: null, ...total }
  }
  const isCheap = isCounted && list.total !== undefined
  let total = isCheap ? undefined : 0
  const reading = readSlice<Row>(
    { limit, offset, ...(after !== undefined && { after }) },
    order,
    async (part) => {
      const { rows } = await page(part, order.by, total === undefined).execute(db)
      total ??= rows[0]?.total
      return rows.filter(({ sort_values }) => sort_values !== null)
    },
  )
  const counting = isCounted && !isCheap ? count.execute(db) : null
  const [slice, counted] = await Promise.all([reading, counting])
  return { ...slice, ...totalOf(counted?.rows[0]?.total ?? total ?? 0) }
}

/** Returns the order of a sort such as `nom_desc`. */
export function orderOf(
  { name, sorts }: { name: string; sorts: Partial<Record<string, SortKey[]>> },
  sort: string,
): SortOrder {
  const [, key = '', direction] = /^(.*)_(asc|desc)$/.exec(sort) ?? []
  const keys = sorts[key] ?? []
  return sortOrder(`${name} ${sort}`, direction === 'asc' ? keys : keys.map(downwards))
}

function statementsOf<Query, Row>(list: List<Query, Row>, query: Query, order: SortOrder) {
  const { columns, from, join = sql`` } = list
  const row = sql.ref(list.as)
  const matches = conditionOf(list, query)
  const expressions = list.with ? sql`with ${list.with}` : sql``
  const found = sql`select from ${from} where ${matches}`
  const total = list.total ?? countMatches(found, list.isSearch ? maxCounted : maxCountedOfList)
  const count = sql<{ total: number }>`${expressions} select ${total} as total`
  return { page, count }

  /** With the total, a page without rows is one row without `sort_values`. */
  function page(part: Omit<Part, 'position'>, by: RawBuilder<unknown>, isCounted: boolean) {
    const rows = sql`(select ${row}.*, true as is_listed from ${rowsOf(part, by)}) ${row}`
    return isCounted
      ? sql<Row & SliceRow>`${expressions}
        select ${columns}, case when ${row}.is_listed then ${order.values} end as sort_values, counted.total
        from (select ${total} as total) counted left join ${rows} on true ${join}
        order by ${by}`
      : sql<Row & SliceRow>`${expressions}
        select ${columns}, ${order.values} as sort_values from ${rows} ${join} order by ${by}`
  }

  function rowsOf({ after, limit, offset }: Omit<Part, 'position'>, by: RawBuilder<unknown>) {
    const page = sql`order by ${by} limit ${limit} offset ${offset}`
    if (list.first) return sql`(${list.first(allOf(matches, after), by, limit + offset)}) ${row} ${page}`
    if (list.picksIds)
      return sql`${from} where ${row}.id in (
        select ${row}.id from ${from} where ${allOf(matches, after)} ${page})`
    // `offset 0` keeps PostgreSQL from merging the two.
    if (list.filtersFirst?.(query))
      return sql`(select ${row}.* from ${from} where ${matches} offset 0) ${row} where ${allOf(after)} ${page}`
    return sql`${from} where ${allOf(matches, after)} ${page}`
  }
}

/**
 * Counts matches, up to one more than `max`. PostgreSQL plans the expression as if all matches were read, by an index, and
 * reads as many as are counted.
 */
export const countMatches = (found: RawBuilder<unknown>, max: number): RawBuilder<number> => sql<number>`(
  with matched as materialized (${found})
  select count(*) from (select from matched limit ${sql.lit(max + 1)}) counted)`

/** Returns the condition of the rows of a list that match the filters of a query. */
export function conditionOf<Query, Row>(
  { where, filters }: Pick<List<Query, Row>, 'where' | 'filters'>,
  query: Query,
): RawBuilder<boolean> {
  const conditions = Object.entries<(value: never, query: Query) => RawBuilder<unknown> | false>(filters)
  const given = query as Record<string, unknown>
  return allOf(
    where ?? false,
    ...conditions.map(([name, of]) => given[name] !== undefined && of(given[name] as never, query)),
  )
}
