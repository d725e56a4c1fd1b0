import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import { matches } from '../search.ts'
import { attachedTo, featuredNow, isHiddenBecause, visible } from '../visibility.ts'
import type { ListQuery } from './schema.ts'

/** The filters of a list as a condition over `publications p`, and `acteurs a` if visibility is filtered. */
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

/** Includes deleted publications if the list filters on those hidden by deletion. */
const deletedOf = ({ deleted, hidden_because }: ListQuery) =>
  deleted ?? (hidden_because?.includes('deleted') ? 'true' : 'false')

/** True: only visible publications; false: only hidden ones; undefined: both. */
const isAskedVisible = ({ visible }: ListQuery) => asked(visible)

/** Returns the tables of a list. A needless join would prevent an index-only scan. */
export const tablesFor = (query: ListQuery): RawBuilder<unknown> =>
  isAskedVisible(query) === undefined
    ? sql`publications p`
    : sql`publications p left join acteurs a on a.id = p.acteur_id`

/**
 * Decides whether filters should be evaluated before the sort. PostgreSQL assumes that filters and sort are
 * independent; if matches lie at the far end of the sort's index, walking it visits all other rows first.
 */
export function filtersFirst(query: ListQuery, column: string): boolean {
  const { ids, deleted, type_id, acteur_id, commune_id } = query
  // These filters never match many rows.
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

/** Returns the value of a flag; undefined if it is absent or given as both true and false. */
export function asked(values: boolean[] | undefined): boolean | undefined {
  return values?.every((value) => value === values[0]) ? values[0] : undefined
}

/** Uses `=` for a single value: it preserves the order of an index that begins with the column. */
function oneOfThese(column: RawBuilder<unknown>, values: string[]): RawBuilder<boolean> {
  const distinct = [...new Set(values)]
  return distinct.length === 1 ? sql`${column} = ${distinct[0]}` : sql`${column} = any(${distinct})`
}

const areUnpublished = ({ moderation_status }: ListQuery) =>
  moderation_status?.every((status) => status === 'pending' || status === 'rejected') === true

const areInvalid = ({ valide }: ListQuery) => asked(valide) === false

/** True for filters that match no visible publication; PostgreSQL would scan all rows to find none. */
const areHidden = (query: ListQuery) =>
  query.hidden_because !== undefined || areUnpublished(query) || areInvalid(query) || query.deleted === 'only'

// Only these statuses can be valid; naming them lets PostgreSQL use the indexes of public rows.
const isValid = sql`p.valide and p.moderation_status in ('approved', 'published')`

// Computed once from the few featured rows, so that the other rows need no lookup.
const notFeatured = sql`p.id not in (select p.id from publications p where ${featuredNow})`
const notReported = sql`p.id not in (select r.publication_id from publication_reports r where r.closed_at is null)`

const hasOpenReports = sql`exists (
  select from publication_reports r where r.publication_id = p.id and r.closed_at is null)`

const comesFrom = (sourceId: string) => sql`p.id in (
  select i.publication_id from import_items i where i.source_id = ${sourceId})`

const hasOpenReportOf = (categories: string[]) => sql`p.id in (
  select r.publication_id from publication_reports r
  where r.closed_at is null and r.category = any(${categories}::text[]))`

/** Condition for members of a group of duplicates, which excludes deleted publications. */
const amongDuplicates = sql`p.deleted_at is null and exists (
  select from duplicate_groups g where g.duplicate_key = p.duplicate_key and g.members > 1)`
