import Type, { type TProperties, type TSchema } from 'typebox'
import type { Database } from '../../database/connect.ts'
import { textOrNull, titled } from '../validation/schemas.ts'
import { type List, type ListResult, readList } from './list.ts'
import { adminPerPage, type Paging, page, pagingOf, totalFields, totalIsAtLeast } from './paging.ts'

const meta = {
  current_page: Type.Optional(Type.Integer({ description: 'Not with `after`', examples: [1] })),
  last_page: Type.Optional(
    Type.Integer({ description: '1 when there is nothing. Not with `after`', examples: [3] }),
  ),
  per_page: Type.Integer({ examples: [adminPerPage] }),
  total: Type.Integer({ examples: [57] }),
  total_is_at_least: totalIsAtLeast,
  next: textOrNull(
    'WyJ1c2VycyBjcmVhdGVkX2F0X2Rlc2MiXQ',
    'Send it back as `after` for the rows that follow; null: this is the end',
  ),
}
const ListMeta = titled('ListMeta', meta)

/** Response schema of a back-office list, with page numbers and a cursor. */
export const ListPage = <T extends TSchema>(record: T) =>
  Type.Object({ data: Type.Array(record), meta: ListMeta })

/** Like `ListPage`, with additional fields in `meta`. */
export const ListPageWith = <T extends TSchema, More extends TProperties>(
  title: string,
  more: More,
  record: T,
) => Type.Object({ data: Type.Array(record), meta: titled(title, { ...meta, ...more }) })

/** Query key of a CSV export, whose `rows` replace `per_page`. */
export const batch = Symbol('batch')

export type Batch = {
  rows: number
  /** Results that `present` reads once per export, not once per batch. */
  memo: Map<string, unknown>
}
type Query = { page?: number; per_page?: number; after?: string; [batch]?: Batch }
/** Converts rows to the records of the response. The batches of an export share `memo`. */
type Present<Row, Shown> = (rows: Row[], memo: Map<string, unknown>) => Shown[] | Promise<Shown[]>

/** Returns a page of a back-office list, or the rows after a cursor, with the total. */
export function listPage<Asked extends object, Row extends object, Shown = Row>(
  db: Database,
  list: List<Asked, Row>,
  query: NoInfer<Asked> & Query,
  present?: Present<Row, Shown>,
) {
  return listPageOf(query, (paging) => readList(db, list, query, paging), present)
}

/** Like `listPage`, for rows that `readList` cannot read. */
export async function listPageOf<Row, Shown = Row>(
  query: Query,
  read: (paging: Paging) => Promise<ListResult<Row>>,
  present: Present<Row, Shown> = (rows) => rows as unknown as Shown[],
) {
  const paging = pagingFor(query)
  const found = await read(paging)
  const rows = await present(found.rows, query[batch]?.memo ?? new Map())
  const { next } = found
  if (paging.after !== undefined)
    return { data: rows, meta: { per_page: paging.perPage, ...totalFields(found), next } }
  const { data, meta } = page(rows, found, paging)
  return { data, meta: { ...meta, next } }
}

/** Skips the total for batches after the first one. */
function pagingFor({ [batch]: part, ...query }: Query): Paging {
  const paging = pagingOf(query, adminPerPage)
  return part === undefined ? paging : { ...paging, limit: part.rows, isCounted: query.after === undefined }
}

/** Returns a page of a list without a cursor. */
export async function numberedPage<Asked extends object, Row extends object, Shown = Row>(
  db: Database,
  list: List<Asked, Row>,
  query: NoInfer<Asked> & Query,
  perPage: number,
  present: (row: Row) => Shown = (row) => row as unknown as Shown,
) {
  const paging = pagingOf(query, perPage)
  const found = await readList(db, list, query, paging)
  return page(found.rows.map(present), found, paging)
}
