import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SortKey, SortOrder, SortValue } from '../../database/sort-order.ts'
import { invalid } from '../../errors.ts'
import { isRealTime, isUuid } from '../cursor.ts'
import type { Paging } from '../paging.ts'

/** A row with its position, as `sort_values` of a `SortOrder` selects it. */
export type Placed = { sort_values: SortValue[] }

/** Some rows of a list in its order, and the cursor of those that follow; null: this is the end. */
export type Slice<Row> = { rows: Row[]; next: string | null }

/** Where a statement reads: the rows that meet `after`. */
export type Part = {
  after: RawBuilder<boolean>
  /** The position that they come after; null: they are read from the beginning. */
  position: SortValue[] | null
  limit: number
  offset: number
}

/**
 * Reads a page, or the rows after a cursor: in one statement, or in two where rows with a value end and those without
 * begin.
 */
export async function readSlice<Row extends object>(
  paging: Pick<Paging, 'limit' | 'offset' | 'after'>,
  order: SortOrder,
  read: (part: Part) => Promise<(Row & Placed)[]>,
): Promise<Slice<Row>> {
  const position = paging.after === undefined ? null : readPosition(paging.after, order)
  const conditions = position === null ? [sql<boolean>`true`] : order.after(position)
  const wanted = paging.limit + 1
  const rows: (Row & Placed)[] = []
  for (const after of conditions) {
    if (rows.length === wanted) break
    rows.push(...(await read({ after, position, limit: wanted - rows.length, offset: paging.offset })))
  }
  return sliceOf(rows.slice(0, paging.limit), order, rows.length > paging.limit)
}

export function sliceOf<Row extends object>(
  rows: (Row & Placed)[],
  order: SortOrder,
  hasMore: boolean,
): Slice<Row> {
  const last = rows.at(-1)
  const next = hasMore && last !== undefined ? writePosition(last.sort_values, order) : null
  return { rows: rows.map(({ sort_values: _, ...row }) => row as unknown as Row), next }
}

/** A cursor names its order: those of other lists and sorts are refused. */
const writePosition = (position: SortValue[], { name }: SortOrder) =>
  Buffer.from(JSON.stringify([name, ...position])).toString('base64url')

function readPosition(cursor: string, { name, keys }: SortOrder): SortValue[] {
  const [list, ...position] = parsed(cursor)
  const fits = position.length === keys.length && keys.every((key, index) => isValueOf(key, position[index]))
  if (list !== name || !fits) throw invalid('after', messages.cursor)
  return position as SortValue[]
}

function parsed(cursor: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}

/** Whatever PostgreSQL cannot compare with the column is refused here. */
function isValueOf({ type, isNullable }: SortKey, value: unknown): boolean {
  if (value === null) return isNullable === true
  if (type === 'number') return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31
  return typeof value === 'string' && isText[type](value)
}

const isText = {
  id: (value: string) => isUuid.test(value),
  time: isRealTime,
  date: (value: string) => /^\d{4}-\d\d-\d\d$/.test(value) && isRealTime(`${value}T00:00:00Z`),
  text: (value: string) => value.isWellFormed() && !value.includes('\0'),
}

const messages = {
  cursor: {
    en: 'must be the "next" of a response of this list in this order',
    fr: 'doit être le « next » d’une réponse de cette liste, dans cet ordre',
  },
}
