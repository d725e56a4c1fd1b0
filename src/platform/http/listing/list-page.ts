import Type, { type TProperties, type TSchema } from 'typebox'
import { adminPerPage, type Paging, page, pagingOf } from '../paging.ts'
import { nullable } from '../schemas.ts'
import type { Slice } from './slice.ts'

const meta = {
  current_page: Type.Optional(Type.Integer({ description: 'Not with `after`', examples: [1] })),
  last_page: Type.Optional(
    Type.Integer({ description: '1 when there is nothing. Not with `after`', examples: [3] }),
  ),
  per_page: Type.Integer({ examples: [adminPerPage] }),
  total: Type.Integer({ examples: [57] }),
  next: nullable(
    Type.String({
      description: 'Send it back as `after` for the rows that follow; null: this is the end',
      examples: ['WyJ1c2VycyBjcmVhdGVkX2F0X2Rlc2MiXQ'],
    }),
  ),
}
const ListMeta = Type.Object(meta, { title: 'ListMeta' })

/** Response schema of a back-office list, with page numbers and a cursor. */
export const ListPage = <T extends TSchema>(record: T) =>
  Type.Object({ data: Type.Array(record), meta: ListMeta })

/** Like `ListPage`, with additional fields in `meta`. */
export const ListPageWith = <T extends TSchema, More extends TProperties>(
  title: string,
  more: More,
  record: T,
) => Type.Object({ data: Type.Array(record), meta: Type.Object({ ...meta, ...more }, { title }) })

/** Query key of a CSV export, whose `rows` replace `per_page`. */
export const batch = Symbol('batch')

export type Batch = {
  rows: number
  /** Results that `present` reads once per export, not once per batch. */
  memo: Map<string, unknown>
}
type Query = { page?: number; per_page?: number; after?: string; [batch]?: Batch }
type Asked<Row, Shown> = {
  /** Reads the rows, and the total if the same statement counts it. */
  rows: (paging: Paging) => Promise<Slice<Row> & { total?: number }>
  total?: () => Promise<number>
  /** Converts rows to the records of the response. The batches of an export share `memo`. */
  present?: (rows: Row[], memo: Map<string, unknown>) => Shown[] | Promise<Shown[]>
}

/** Returns a page of a back-office list, or the rows after a cursor, with the total. */
export async function listPage<Row, Shown = Row>(query: Query, asked: Asked<Row, Shown>) {
  const paging = pagingFor(query)
  const [slice, counted] = await Promise.all([asked.rows(paging), paging.isCounted && asked.total?.()])
  const memo = query[batch]?.memo ?? new Map()
  const rows = asked.present ? await asked.present(slice.rows, memo) : (slice.rows as unknown as Shown[])
  const total = slice.total ?? (counted || 0)
  const { next } = slice
  if (paging.after !== undefined) return { data: rows, meta: { per_page: paging.perPage, total, next } }
  const { data, meta } = page(rows, total, paging)
  return { data, meta: { ...meta, next } }
}

/** Skips the total for batches after the first one, whose count may find that the record does not exist. */
function pagingFor({ [batch]: part, ...query }: Query): Paging {
  const paging = pagingOf(query, adminPerPage)
  return part === undefined ? paging : { ...paging, limit: part.rows, isCounted: query.after === undefined }
}
