import { type RawBuilder, sql } from 'kysely'
import { allOf, among, flag } from '../../../platform/database/conditions.ts'
import { countShown, isCounted, listOf } from '../listings.ts'
import { reportedLive } from '../reports/queries.ts'
import { asked, matching, tablesFor } from './filters.ts'
import type { AdminQuery } from './schema.ts'

/**
 * How many publications a list of the back-office has: added up from the numbers that triggers keep, where these tell it.
 * What a flag leaves out is counted as the rest of what it leaves, which is few or known.
 */
export function countOf(query: AdminQuery): RawBuilder<number> {
  for (const name of ['visible', 'en_avant', 'reported'] as const) {
    if (asked(query[name]) !== false) continue
    const { [name]: _asked, ...both } = query
    return sql<number>`(${countOf(both)} - ${countOf({ ...both, [name]: [true] })})`
  }
  return (
    countShownOf(query) ??
    countPublishedShown(query) ??
    countKept(query) ??
    countFlagged(query) ??
    countRows(query)
  )
}

const countRows = (query: AdminQuery) =>
  sql<number>`(select count(*) from ${tablesFor(query)} where ${matching(query)})`

/** Of those that the public sees: in the whole, of a commune, of some types or of both, or of one acteur. */
function countShownOf(query: AdminQuery): RawBuilder<number> | null {
  const { commune_id, acteur_id, type_id, visible, deleted, ...others } = effective(query)
  if (visible === undefined || deleted === 'only' || Object.keys(others).length > 0) return null
  const types = type_id === undefined ? [undefined] : [...new Set(type_id)]
  const listings = types.map((type_id) => ({ commune_id, acteur_id, type_id }))
  if (listings.length > mostTypes || !listings.every(isCounted)) return null
  return sql<number>`(${sql.join(listings.map(countShown), sql` + `)})`
}

/** Of those that the public sees all but a few are published: as the rest of these. */
function countPublishedShown(query: AdminQuery): RawBuilder<number> | null {
  const { moderation_status, ...shown } = query
  const all = asked(query.visible) && moderation_status?.every(isPublished) ? countShownOf(shown) : null
  return all && sql<number>`(${all} - ${countRows({ ...shown, moderation_status: ['approved'] })})`
}
const isPublished = (status: string) => status === 'published'

/** Of those in some states: in the whole, or of one commune or acteur, or of some types. */
function countKept(query: AdminQuery): RawBuilder<number> | null {
  const {
    commune_id,
    acteur_id,
    type_id,
    moderation_status,
    valide,
    deleted = 'false',
    ...others
  } = effective(query)
  if (Object.keys(others).length > 0 || !countsAlone({ commune_id, acteur_id, type_id })) return null
  return sql<number>`(select coalesce(sum(n), 0)::int from publication_counts where ${allOf(
    listOf({ commune_id, acteur_id }),
    among('type_id', type_id),
    among('moderation_status', moderation_status),
    flag('valide', valide),
    deleted === 'false' && sql`not deleted`,
    deleted === 'only' && sql`deleted`,
  )})`
}

/** Of those with open reports, and of duplicates, where nothing else is asked: told by an index of theirs. */
function countFlagged(query: AdminQuery): RawBuilder<number> | null {
  const { deleted = 'false', ...others } = effective(query)
  const [name, another] = Object.keys(others)
  if (another !== undefined || deleted !== 'false') return null
  if (name === 'reported') return sql<number>`(select count(*) from ${reportedLive})`
  if (name === 'duplicates')
    return sql<number>`(select coalesce(sum(members), 0)::int from duplicate_groups where members > 1)`
  return null
}

const countsAlone = (filters: Record<'commune_id' | 'acteur_id' | 'type_id', unknown>) =>
  Object.values(filters).filter((filter) => filter !== undefined).length < 2

/** What really filters: not the page, nor a flag that is asked for both ways, nor what all have that the public sees. */
function effective({
  page,
  per_page,
  sort,
  ...query
}: AdminQuery): Omit<AdminQuery, 'page' | 'per_page' | 'sort'> {
  const flags = ['valide', 'reported', 'en_avant', 'visible'] as const
  for (const name of flags) if (asked(query[name]) === undefined) delete query[name]
  if (query.duplicates === false) delete query.duplicates
  if (asked(query.visible) && asked(query.valide)) delete query.valide
  if (asked(query.visible) && shownStates.every((state) => query.moderation_status?.includes(state)))
    delete query.moderation_status
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

/** There are seven. */
const mostTypes = 10
const shownStates = ['approved', 'published'] as const
