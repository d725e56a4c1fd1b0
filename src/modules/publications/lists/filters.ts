import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import { matches } from '../search.ts'
import { attachedTo, featuredNow, visible } from '../visibility.ts'
import type { AdminQuery } from './schema.ts'

/** What a list is asked for, over `publications p`, and `acteurs a` where what is visible is asked for. */
export function matching(query: AdminQuery): RawBuilder<boolean> {
  const { q, ids, commune_id, acteur_id, type_id, moderation_status } = query
  const { deleted = 'false', duplicates = false } = query
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
    isAskedVisible(query) === true && (areHidden(query) ? sql`false` : visible),
    isAskedVisible(query) === false && sql`${visible} is not true`,
  )
}

/** Whether what the public sees is asked for, or the rest; undefined: both. */
const isAskedVisible = ({ visible }: AdminQuery) => asked(visible)

/** What a list reads. A join that serves nothing would still keep PostgreSQL from reading an index alone. */
export const tablesFor = (query: AdminQuery): RawBuilder<unknown> =>
  isAskedVisible(query) === undefined
    ? sql`publications p`
    : sql`publications p left join acteurs a on a.id = p.acteur_id`

/**
 * PostgreSQL takes filters and sorts for unrelated. Where what the filters find may lie together at the far end of the
 * sort's index, walking along that index would pass all the others first: the filters' own index then goes first.
 */
export function filtersFirst(query: AdminQuery, column: string): boolean {
  const { ids, deleted, type_id, acteur_id, commune_id } = query
  // Never many.
  if (ids !== undefined) return true
  if (column === 'created_at') return false
  if (asked(query.reported) === true || asked(query.en_avant) === true) return true
  const unpublished = areUnpublished(query) || areInvalid(query)
  if (column === 'publie_le' && (unpublished || deleted === 'only')) return true
  if (column === 'date_debut' && type_id !== undefined) return true
  const narrow = [unpublished, deleted === 'only', acteur_id !== undefined, commune_id !== undefined]
  return narrow.filter(Boolean).length > 1
}

/** A flag asked for both ways filters nothing. */
export function asked(values: boolean[] | undefined): boolean | undefined {
  return values?.every((value) => value === values[0]) ? values[0] : undefined
}

/** One value keeps the order of an index that begins with its column; several cannot. */
function oneOfThese(column: RawBuilder<unknown>, values: string[]): RawBuilder<boolean> {
  const distinct = [...new Set(values)]
  return distinct.length === 1 ? sql`${column} = ${distinct[0]}` : sql`${column} = any(${distinct})`
}

const areUnpublished = ({ moderation_status }: AdminQuery) =>
  moderation_status?.every((status) => status === 'pending' || status === 'rejected') === true

const areInvalid = ({ valide }: AdminQuery) => asked(valide) === false

/** Contradictions, which PostgreSQL would look for among all rows. */
const areHidden = (query: AdminQuery) =>
  areUnpublished(query) || areInvalid(query) || query.deleted === 'only'

// No other status is ever valid; saying so lets the indexes of what is public serve.
const isValid = sql`p.valide and p.moderation_status in ('approved', 'published')`

// Asked of the few that are, once, so that the many that are not need no look at their rows.
const notFeatured = sql`p.id not in (select p.id from publications p where ${featuredNow})`
const notReported = sql`p.id not in (select r.publication_id from publication_reports r where r.closed_at is null)`

const hasOpenReports = sql`exists (
  select from publication_reports r where r.publication_id = p.id and r.closed_at is null)`

/** What is deleted is no member. */
const amongDuplicates = sql`p.deleted_at is null and exists (
  select from duplicate_groups g where g.duplicate_key = p.duplicate_key and g.members > 1)`
