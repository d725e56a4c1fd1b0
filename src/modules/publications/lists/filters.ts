import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import { matches } from '../search.ts'
import { attachedTo, featuredNow, isHiddenBecause, visible } from '../visibility.ts'
import type { ListQuery } from './schema.ts'

/** The filters of a list as a condition over `publications p`, and `acteurs a` when visibility is filtered. */
export function matching(query: ListQuery): RawBuilder<boolean> {
  const { q, ids, commune_id, acteur_id, type_id, moderation_status } = query
  const { duplicates = false, hidden_because } = query
  const deleted = deletedOf(query)
  const [valide, reported, featured] = [query.valide, query.reported, query.en_avant].map(asked)
  return allOf(
    deleted === 'false' && sql`p.deleted_at is null`,
    deleted === 'only' && sql`p.deleted_at is not null`,
    duplicates && amongDuplicates,
    ids !== undefined && sql`p.id = any(${ids}::uuid[])`,
    q !== undefined && matches(q),
    commune_id !== undefined && attachedTo([commune_id]),
    acteur_id !== undefined && sql`p.acteur_id = ${acteur_id}`,
    type_id !== undefined && oneOfThese(sql`p.type_id`, type_id),
    moderation_status !== undefined && oneOfThese(sql`p.moderation_status`, moderation_status),
    valide === false && sql`not p.valide`,
    valide === true && (areUnpublished(query) ? sql`false` : isValid),
    featured !== undefined && (featured ? featuredNow : notFeatured),
    reported !== undefined && (reported ? hasOpenReports : notReported),
    hidden_because !== undefined && isHiddenBecause(hidden_because),
    query.since !== undefined && sql`p.created_at >= ${query.since}::timestamptz`,
    query.until !== undefined && sql`p.created_at < ${query.until}::timestamptz`,
    query.created_by !== undefined && sql`p.created_by = ${query.created_by}`,
    query.source_id !== undefined && comesFrom(query.source_id),
    query.category !== undefined && hasOpenReportOf(query.category),
    isAskedVisible(query) === true && (areHidden(query) ? sql`false` : visible),
    isAskedVisible(query) === false && sql`${visible} is not true`,
  )
}

/** A filter on publications hidden by deletion includes deleted ones. */
const deletedOf = ({ deleted, hidden_because }: ListQuery) =>
  deleted ?? (hidden_because?.includes('deleted') ? 'true' : 'false')

/** Whether visible ones or the others are wanted; undefined: both. */
const isAskedVisible = ({ visible }: ListQuery) => asked(visible)

/** Tables of a list. A needless join would prevent an index-only scan. */
export const tablesFor = (query: ListQuery): RawBuilder<unknown> =>
  isAskedVisible(query) === undefined
    ? sql`publications p`
    : sql`publications p left join acteurs a on a.id = p.acteur_id`

/**
 * Decides whether filters should be evaluated before the sort. PostgreSQL assumes that filters and sort are
 * independent; when matches may lie at the far end of the sort's index, walking it would visit all other rows first.
 */
export function filtersFirst(query: ListQuery, column: string): boolean {
  const { ids, deleted, type_id, acteur_id, commune_id } = query
  // Never many.
  if (ids !== undefined) return true
  if (query.hidden_because !== undefined || query.category !== undefined) return true
  if (query.source_id !== undefined) return true
  if (column === 'created_at') return false
  if (asked(query.reported) === true || asked(query.en_avant) === true) return true
  const unpublished = areUnpublished(query) || areInvalid(query)
  if (column === 'publie_le' && (unpublished || deleted === 'only')) return true
  if (column === 'date_debut' && type_id !== undefined) return true
  const narrow = [unpublished, deleted === 'only', acteur_id !== undefined, commune_id !== undefined]
  if (query.created_by !== undefined) return true
  return narrow.filter(Boolean).length > 1
}

/** A flag given both ways filters nothing. */
export function asked(values: boolean[] | undefined): boolean | undefined {
  return values?.every((value) => value === values[0]) ? values[0] : undefined
}

/** One value preserves the order of an index that begins with its column; several do not. */
function oneOfThese(column: RawBuilder<unknown>, values: string[]): RawBuilder<boolean> {
  const distinct = [...new Set(values)]
  return distinct.length === 1 ? sql`${column} = ${distinct[0]}` : sql`${column} = any(${distinct})`
}

const areUnpublished = ({ moderation_status }: ListQuery) =>
  moderation_status?.every((status) => status === 'pending' || status === 'rejected') === true

const areInvalid = ({ valide }: ListQuery) => asked(valide) === false

/** Contradictory filters, which PostgreSQL would look for in all rows. */
const areHidden = (query: ListQuery) =>
  query.hidden_because !== undefined || areUnpublished(query) || areInvalid(query) || query.deleted === 'only'

// No other status is ever valid; stating it lets the indexes of public rows apply.
const isValid = sql`p.valide and p.moderation_status in ('approved', 'published')`

// Computed once from the few featured rows, so that the many others need no lookup.
const notFeatured = sql`p.id not in (select p.id from publications p where ${featuredNow})`
const notReported = sql`p.id not in (select r.publication_id from publication_reports r where r.closed_at is null)`

const hasOpenReports = sql`exists (
  select from publication_reports r where r.publication_id = p.id and r.closed_at is null)`

const comesFrom = (sourceId: string) => sql`p.id in (
  select i.publication_id from import_items i where i.source_id = ${sourceId})`

const hasOpenReportOf = (categories: string[]) => sql`p.id in (
  select r.publication_id from publication_reports r
  where r.closed_at is null and r.category = any(${categories}::text[]))`

/** Deleted publications are not members. */
const amongDuplicates = sql`p.deleted_at is null and exists (
  select from duplicate_groups g where g.duplicate_key = p.duplicate_key and g.members > 1)`
