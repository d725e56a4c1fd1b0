import Type, { type TProperties, type TSchema } from 'typebox'
import { invalid } from '../../errors.ts'
import { Id, oneOf, titled } from '../validation/schemas.ts'

export const publicPerPage = 15
export const adminPerPage = 25
const maxPerPage = 100

/** `page` and `per_page` of a list. A `per_page` above 100 is reduced to 100, not refused. */
export const pagingQuery = (perPage: number) => ({
  page: Type.Optional(Type.Integer({ minimum: 1, description: 'Page number. Default: 1', examples: [2] })),
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: `Page size; values above ${maxPerPage} are cut to ${maxPerPage}. Default: ${perPage}`,
      examples: [50],
    }),
  ),
})

/** `page` and `per_page` of a back-office list, or `after`. */
export const listQuery = {
  ...pagingQuery(adminPerPage),
  after: Type.Optional(
    Type.String({
      maxLength: 4_000,
      description:
        '`meta.next` of a response of this list: the rows that follow it, at the same cost however far. Not together with `page`, nor with another `sort`',
      examples: ['WyJ1c2VycyBjcmVhdGVkX2F0X2Rlc2MiXQ'],
    }),
  ),
}

/** A sort parameter: one of these keys, ascending or descending. */
export function sortQuery<const Key extends string>(
  keys: readonly Key[],
  fallback: `${Key}_${'asc' | 'desc'}`,
) {
  const sorts = keys.flatMap((key) => [`${key}_asc`, `${key}_desc`] as const)
  return Type.Optional(oneOf(sorts, `Default: \`${fallback}\``))
}

/** Restricts the list to these records; the other filters still apply. */
export const idsQuery = Type.Optional(
  Type.Array(Id(), { minItems: 1, maxItems: 100, description: 'Only these, separated by commas' }),
)

/** Accepts several values, separated by commas. */
export const several = <T extends TSchema>(value: T, description?: string) =>
  Type.Optional(Type.Array(value, { minItems: 1, maxItems: 20, ...(description && { description }) }))

export type Paging = {
  page: number
  perPage: number
  limit: number
  offset: number
  /** Cursor after which to read; if absent, `page` applies. */
  after?: string
  isCounted: boolean
}
type PagingQuery = { page?: number; per_page?: number; after?: string }

export function pagingOf(query: PagingQuery, defaultPerPage: number): Paging {
  if (query.after !== undefined && query.page !== undefined) throw invalid('page', messages.after)
  const page = query.page ?? 1
  const perPage = Math.min(query.per_page ?? defaultPerPage, maxPerPage)
  // A page past the end is empty; its offset must still be a number that PostgreSQL accepts.
  const offset = Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER)
  const after = query.after !== undefined && { after: query.after }
  return { page, perPage, limit: perPage, offset, isCounted: true, ...after }
}

const messages = {
  after: { en: 'cannot be combined with after', fr: 'ne peut pas être combiné avec after' },
  tooFar: (total: number) => ({
    en: `pages end with row ${total}: continue with after, or filter the list`,
    fr: `les pages s’arrêtent à la ligne ${total} : continuez avec after, ou filtrez la liste`,
  }),
}

/** Counting the matches of a search stops at this number. */
export const maxCounted = 1_000
/** Counting the rows of any other list stops at this number. */
export const maxCountedOfList = 50_000

/** How many rows a list has. */
export type Total = {
  total: number
  /** True if the total is a lower bound, because counting stopped there. */
  isAtLeast?: boolean
}

const totalUpTo =
  (max: number) =>
  (counted: number): Total =>
    counted > max ? { total: max, isAtLeast: true } : { total: counted }

/** Returns the total of a search, whose matches are counted up to one more than `maxCounted`. */
export const totalOfSearch = totalUpTo(maxCounted)
/** Returns the total of a list without a search, whose rows are counted up to one more than `maxCountedOfList`. */
export const totalOfList = totalUpTo(maxCountedOfList)

/** Throws 422 for a page behind the rows that were counted: only cursors go on there. */
export function requireReached(
  { total, isAtLeast }: Total,
  { offset, after }: Pick<Paging, 'offset' | 'after'>,
) {
  if (isAtLeast && after === undefined && offset >= total) throw invalid('page', messages.tooFar(total))
}

/** The total as fields of `meta`. */
export const totalFields = ({ total, isAtLeast }: Total) => ({
  total,
  ...(isAtLeast && { total_is_at_least: true }),
})

export const totalIsAtLeast = Type.Optional(
  Type.Boolean({
    description:
      'True if counting stopped at 50 000, of a search at 1 000: there are `total` or more. Pages end with `last_page`; a cursor goes on. Absent: `total` is exact',
  }),
)

const meta = {
  current_page: Type.Integer({ examples: [1] }),
  last_page: Type.Integer({ description: '1 when there is nothing', examples: [3] }),
  per_page: Type.Integer({ examples: [adminPerPage] }),
  total: Type.Integer({ examples: [57] }),
  total_is_at_least: totalIsAtLeast,
}
const Meta = titled('PageMeta', meta)

export const Page = <T extends TSchema>(record: T) => Type.Object({ data: Type.Array(record), meta: Meta })

/** Like `Page`, with additional fields in `meta`. */
export const PageWith = <T extends TSchema, More extends TProperties>(title: string, more: More, record: T) =>
  Type.Object({ data: Type.Array(record), meta: titled(title, { ...meta, ...more }) })

export function page<T>(data: T[], total: Total, paging: Paging) {
  const { page, perPage } = paging
  requireReached(total, paging)
  const last_page = Math.max(1, Math.ceil(total.total / perPage))
  return { data, meta: { current_page: page, last_page, per_page: perPage, ...totalFields(total) } }
}
