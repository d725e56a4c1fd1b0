import { type RawBuilder, sql } from 'kysely'
import { allOf, among, flag } from '../../../platform/database/conditions.ts'
import { reportedLive } from '../reports/queries.ts'
import { countShown, isCounted, listOf } from '../stored-lists.ts'
import { asked, matching, tablesFor } from './filters.ts'
import type { ListQuery } from './schema.ts'

/**
 * Counts the publications of a back-office list, from the counts that triggers maintain where possible. A
 * flag that is false is counted as all rows minus those where it is true.
 */
export function countOf(query: ListQuery): RawBuilder<number> {
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

const countRows = (query: ListQuery) =>
  sql<number>`(select count(*) from ${tablesFor(query)} where ${matching(query)})`

/** Counts public publications in total, by commune, type or both, or by acteur; null for other filters. */
function countShownOf(query: ListQuery): RawBuilder<number> | null {
  const { commune_id, acteur_id, type_id, visible, deleted, ...others } = effective(query)
  if (visible === undefined || deleted === 'only' || Object.keys(others).length > 0) return null
  const types = type_id === undefined ? [undefined] : [...new Set(type_id)]
  const listings = types.map((type_id) => ({ commune_id, acteur_id, type_id }))
  if (listings.length > maxTypes || !listings.every(isCounted)) return null
  return sql<number>`(${sql.join(listings.map(countShown), sql` + `)})`
}

/** Counts public `published` publications as all public ones minus `approved`, which are few. */
function countPublishedShown(query: ListQuery): RawBuilder<number> | null {
  const { moderation_status, ...shown } = query
  const all = asked(query.visible) && moderation_status?.every(isPublished) ? countShownOf(shown) : null
  return all && sql<number>`(${all} - ${countRows({ ...shown, moderation_status: ['approved'] })})`
}
const isPublished = (status: string) => status === 'published'

/** Counts by status, in total or by commune, acteur or type; null for other filters. */
function countKept(query: ListQuery): RawBuilder<number> | null {
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
    among('type_id')(type_id),
    among('moderation_status')(moderation_status),
    flag('valide')(valide),
    deleted === 'false' && sql`not deleted`,
    deleted === 'only' && sql`deleted`,
  )})`
}

/** Counts reported publications or duplicates by their own index; null if there is another filter. */
function countFlagged(query: ListQuery): RawBuilder<number> | null {
  const { deleted = 'false', ...others } = effective(query)
  const [name, another] = Object.keys(others)
  if (another !== undefined || deleted !== 'false') return null
  if (name === 'reported') return sql<number>`(select count(*) from ${reportedLive})`
  if (name === 'duplicates') return sql<number>`(select coalesce(sum(members), 0)::int from duplicate_groups)`
  return null
}

const countsAlone = (filters: Record<'commune_id' | 'acteur_id' | 'type_id', unknown>) =>
  Object.values(filters).filter((filter) => filter !== undefined).length < 2

/** Removes parameters without effect: page, flags given both ways, and filters all public rows satisfy. */
function effective({
  page,
  per_page,
  after,
  sort,
  ...query
}: ListQuery): Omit<ListQuery, 'page' | 'per_page' | 'after' | 'sort'> {
  const flags = ['valide', 'reported', 'en_avant', 'visible'] as const
  for (const name of flags) if (asked(query[name]) === undefined) delete query[name]
  for (const name of ['duplicates', 'unsettled'] as const) if (query[name] === false) delete query[name]
  if (asked(query.visible) && asked(query.valide)) delete query.valide
  if (asked(query.visible) && shownStates.every((state) => query.moderation_status?.includes(state)))
    delete query.moderation_status
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}

/** Limit on types counted one by one; there are seven. */
const maxTypes = 10
const shownStates = ['approved', 'published'] as const
