import Type from 'typebox'
import { invalid } from '../../errors.ts'
import { titled } from '../validation/schemas.ts'

/** Position in a list ordered by time and id. The time is in UTC, in PostgreSQL's format. */
export type Position = { at: string; id: string }

export const writeCursor = ({ at, id }: Position): string => Buffer.from(`${at} ${id}`).toString('base64url')

/** Parses a cursor whose id matches `isId`; null if it is not valid. */
export function readCursor(text: string, isId: RegExp): Position | null {
  const [, at, id] = isPosition.exec(Buffer.from(text, 'base64url').toString()) ?? []
  if (at === undefined || id === undefined || !isRealTime(at) || !isId.test(id)) return null
  return { at, id }
}

const isPosition = /^(\S{20,40}) (\S{1,40})$/

export function isRealTime(text: string): boolean {
  if (!isTime.test(text) || Number.isNaN(Date.parse(text))) return false
  // Date.parse turns 31 February into 3 March.
  const [day = ''] = text.split('T')
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

const isTime = /^(?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:[0-5]\d(\.\d{1,9})?(Z|[+-](0\d|1[0-5]):[0-5]\d)$/

/** The `meta` of a list with cursor pagination. */
export const CursorMeta = titled('CursorMeta', {
  next: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Send it back as `after` for the rows that follow; null: this is the end',
    examples: ['MjAyNi0xMS0yMFQwODozMDowMC4wMDBaIDAxOTljOWEz'],
  }),
  per_page: Type.Integer({ examples: [100] }),
})

type Walk = { updated_since?: string; after?: string; page?: number }

/** Query parameters of a public list that clients can read in order of modification. */
export const updatedQuery = {
  updated_since: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'Only what changed at this time or later, oldest change first, with `meta.next` instead of pages. Goes with filters by commune, acteur, type or département alone',
      examples: ['2026-11-20T08:30:00.000Z'],
    }),
  ),
  after: Type.Optional(
    Type.String({
      maxLength: 200,
      description: '`meta.next` of the response before',
      examples: ['MjAyNi0xMS0yMA'],
    }),
  ),
}

/** Returns the position after which to continue; null if the client uses page numbers. */
export function startOfWalk<Query extends Walk>(
  query: Query,
  goesWith: readonly (keyof Query & string)[],
): Position | null {
  const { updated_since, after } = query
  if (updated_since === undefined && after === undefined) return null
  const allowed = new Set<string>(['updated_since', 'after', 'per_page', ...goesWith])
  const stray = Object.keys(query).find((name) => !allowed.has(name))
  if (stray !== undefined) throw invalid(stray, messages.stray)
  if (updated_since !== undefined && !isRealTime(updated_since)) throw invalid('updated_since', messages.time)
  const since = updated_since === undefined ? null : { at: updated_since, id: firstId }
  if (after === undefined) return since
  return readCursor(after, idForm) ?? fail('after')
}

const fail = (field: string): never => {
  throw invalid(field, messages.cursor)
}

const firstId = '00000000-0000-0000-0000-000000000000'
/** The form in which Parvis writes ids: in lower case. */
export const idForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const messages = {
  stray: {
    en: 'cannot be combined with updated_since or after',
    fr: 'ne peut pas être combiné avec updated_since ou after',
  },
  time: { en: 'must be a valid date-time', fr: 'doit être une date et heure valide' },
  cursor: {
    en: 'must be the "next" of a response',
    fr: 'doit être le « next » d’une réponse',
  },
}

/** Builds the response of one cursor step. `rows` has one extra row if more rows follow. */
export function walked<Row extends { id: string; updated_at: Date }>(rows: Row[], perPage: number) {
  const data = rows.slice(0, perPage)
  const last = rows.length > perPage ? data.at(-1) : undefined
  const next = last === undefined ? null : writeCursor({ at: last.updated_at.toISOString(), id: last.id })
  return { data, meta: { next, per_page: perPage } }
}
