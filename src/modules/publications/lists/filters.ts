import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import { holdsWords, matches } from '../search.ts'
import { attachedTo, featuredNow } from '../visibility.ts'
import type { AdminQuery } from './schema.ts'

/** What a list is asked for, over `publications p`. */
export function matching(query: AdminQuery): RawBuilder<boolean> {
  const { q, commune_id, acteur_id, type_id, moderation_status, valide, reported, en_avant } = query
  const { deleted = 'false', duplicates = false } = query
  return allOf(
    deleted === 'false' && sql`p.deleted_at is null`,
    deleted === 'only' && sql`p.deleted_at is not null`,
    duplicates && amongDuplicates,
    q !== undefined && matches(q),
    commune_id !== undefined && attachedTo([commune_id]),
    acteur_id !== undefined && sql`p.acteur_id = ${acteur_id}`,
    type_id !== undefined && sql`p.type_id = ${type_id}`,
    moderation_status !== undefined && sql`p.moderation_status = ${moderation_status}`,
    valide === false && sql`not p.valide`,
    valide === true && (isUnpublished(query) ? sql`false` : isValid),
    en_avant !== undefined && (en_avant ? featuredNow : notFeatured),
    reported !== undefined && (reported ? hasOpenReports : notReported),
  )
}

/**
 * PostgreSQL takes filters and sorts for unrelated. Where what the filters find may lie together at the far end of the
 * sort's index, walking along that index would pass all the others first: the filters' own index then goes first.
 */
export function filtersFirst(query: AdminQuery, column: string): boolean {
  const { q, deleted, type_id, acteur_id, commune_id, reported, en_avant } = query
  // Counting them finds them all anyway.
  if (q !== undefined && holdsWords(q)) return true
  if (column === 'created_at') return false
  // Never many.
  if (reported === true || en_avant === true) return true
  const unpublished = isUnpublished(query) || query.valide === false
  if (column === 'publie_le' && (unpublished || deleted === 'only')) return true
  if (column === 'date_debut' && type_id !== undefined) return true
  const narrow = [unpublished, deleted === 'only', acteur_id !== undefined, commune_id !== undefined]
  return narrow.filter(Boolean).length > 1
}

const isUnpublished = ({ moderation_status }: AdminQuery) =>
  moderation_status === 'pending' || moderation_status === 'rejected'

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
