import type { RawBuilder } from 'kysely'
import type { SortKey, SortOrder, SortValue } from '../../database/sort-order.ts'
import { invalid } from '../../errors.ts'
import { idForm, isRealTime } from './cursor.ts'
import type { Paging } from './paging.ts'

/** A row with its position, selected by `sort_values` of a `SortOrder`, and perhaps the total of its list. */
export type SliceRow = { sort_values: SortValue[]; total?: number }

/** Rows of a list in its order, and the cursor of the next rows; null at the end. */
export type Slice<Row> = { rows: Row[]; next: string | null }

/** The part of a list that one statement reads: the rows that match `after`, unless that is false. */
export type Part = {
  after: RawBuilder<boolean> | false
  /** Position after which to read; null to read from the beginning. */
  position: SortValue[] | null
  limit: number
  offset: number
}

/**
 * Reads a page, or the rows after a cursor. Needs a second statement where rows with a value end and rows
 * with NULL begin.
 */
export async function readSlice<Row extends object>(
  paging: Pick<Paging, 'limit' | 'offset' | 'after'>,
  order: SortOrder,
  read: (part: Part) => Promise<(Row & SliceRow)[]>,
): Promise<Slice<Row>> {
  const position = paging.after === undefined ? null : readPosition(paging.after, order)
  const conditions = position === null ? [false as const] : order.after(position)
  const wanted = paging.limit + 1
  const rows: (Row & SliceRow)[] = []
  for (const after of conditions) {
    if (rows.length === wanted) break
    rows.push(...(await read({ after, position, limit: wanted - rows.length, offset: paging.offset })))
  }
  const shown = rows.slice(0, paging.limit)
  const last = shown.at(-1)
  const next =
    rows.length > shown.length && last !== undefined ? writePosition(last.sort_values, order) : null
  return { rows: shown.map(({ sort_values: _, total: __, ...row }) => row as unknown as Row), next }
}

/** Encodes a cursor with the name of its order, so that cursors of other lists and sorts are refused. */
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

/** Returns false for values that PostgreSQL cannot compare with the column. */
function isValueOf({ type, isNullable }: SortKey, value: unknown): boolean {
  if (value === null) return isNullable === true
  if (type === 'number') return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31
  return typeof value === 'string' && isText[type](value)
}

const isText = {
  id: (value: string) => idForm.test(value),
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
