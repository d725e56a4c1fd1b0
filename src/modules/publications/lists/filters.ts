import { type RawBuilder, sql } from 'kysely'
import { equals } from '../../../platform/database/conditions.ts'
import { conditionOf, type List } from '../../../platform/http/listing/list.ts'
import { matches } from '../search.ts'
import { attachedTo, featuredNow, hiddenReasons, isHiddenBecause, visible } from '../visibility.ts'
import type { ListQuery } from './schema.ts'

/** The condition of each filter, over `publications p`, and `acteurs a` if visibility is filtered. */
const filters: List<ListQuery, unknown>['filters'] = {
  deleted: (deleted) =>
    deleted !== 'true' && (deleted === 'only' ? sql`p.deleted_at is not null` : sql`p.deleted_at is null`),
  duplicates: (duplicates, { unsettled, deleted }) =>
    duplicates && !unsettled && (deleted === 'only' ? sql`false` : amongDuplicates),
  unsettled: (unsettled) => unsettled && unsettledDuplicate,
  duplicate_key: (key, { deleted }) =>
    deleted === 'only' ? sql`false` : sql`p.deleted_at is null and p.duplicate_key = ${key}`,
  ids: (ids) => sql`p.id = any(${ids}::uuid[])`,
  q: matches,
  commune_id: (id) => attachedTo([id]),
  acteur_id: equals('p.acteur_id'),
  type_id: oneOfThese('p.type_id'),
  moderation_status: oneOfThese('p.moderation_status'),
  valide: (values, query) => either(values, areUnpublished(query) ? sql`false` : isValid, sql`not p.valide`),
  en_avant: (values) => either(values, featuredNow, notFeatured),
  reported: (values) => either(values, hasOpenReports, notReported),
  hidden_because: isHiddenBecause,
  since: (since) => sql`p.created_at >= ${since}::timestamptz`,
  until: (until) => sql`p.created_at < ${until}::timestamptz`,
  created_by: equals('p.created_by'),
  source_id: (id) => sql`p.id in (select i.publication_id from import_items i where i.source_id = ${id})`,
  category: (categories) => sql`p.id in (
    select r.publication_id from publication_reports r
    where r.closed_at is null and r.category = any(${categories}::text[]))`,
  visible: (values, query) => either(values, areHidden(query) ? sql`false` : visible, isHidden),
}

/** Leaves deleted publications out, unless the query asks for them or for those that are hidden because deleted. */
export const matching = (query: ListQuery): RawBuilder<boolean> =>
  conditionOf<ListQuery, unknown>(
    { filters },
    { deleted: query.hidden_because?.includes('deleted') ? 'true' : 'false', ...query },
  )

/** Filters by a flag; given as both true and false, it filters nothing. */
function either(values: boolean[], isSet: RawBuilder<unknown>, isNot: RawBuilder<unknown>) {
  const value = asked(values)
  return value !== undefined && (value ? isSet : isNot)
}

/** Returns the tables of a list. A needless join would prevent an index-only scan. */
export const tablesFor = (
  { visible }: ListQuery,
  publications: RawBuilder<unknown> = sql`publications`,
): RawBuilder<unknown> =>
  asked(visible) === true
    ? sql`${publications} p left join acteurs a on a.id = p.acteur_id`
    : sql`${publications} p`

/** Returns the value of a flag; undefined if it is absent or given as both true and false. */
export function asked(values: boolean[] | undefined): boolean | undefined {
  return values?.every((value) => value === values[0]) ? values[0] : undefined
}

/** Uses `=` for a single value: it preserves the order of an index that begins with the column. */
function oneOfThese(column: string) {
  return (values: string[]): RawBuilder<boolean> => {
    const [one, another] = new Set(values)
    return another === undefined ? sql`${sql.ref(column)} = ${one}` : sql`${sql.ref(column)} = any(${values})`
  }
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
export const notReported = sql`p.id not in (select r.publication_id from publication_reports r where r.closed_at is null)`

// What is pending or rejected is not valid.
const isHidden = isHiddenBecause(
  hiddenReasons.filter((reason) => reason !== 'pending' && reason !== 'rejected'),
)

const hasOpenReports = sql`exists (
  select from publication_reports r where r.publication_id = p.id and r.closed_at is null)`

/** Condition for members of a group of duplicates, which excludes deleted publications. */
const amongDuplicates = sql`p.deleted_at is null and exists (
  select from duplicate_groups g where g.duplicate_key = p.duplicate_key)`

/** Neither deleted nor rejected. */
const isOpen = (row: string) =>
  sql`${sql.ref(`${row}.deleted_at`)} is null and ${sql.ref(`${row}.moderation_status`)} <> 'rejected'`

/** Groups whose open members were all found distinct from each other by one decision. */
const distinctGroups = sql`
  select o.duplicate_key from distinct_publications d join publications o on o.id = d.publication_id
  where ${isOpen('o')}
  group by o.duplicate_key, d.decision_id
  having count(*) = (
    select count(*) from publications member where member.duplicate_key = o.duplicate_key and ${isOpen('member')})`

/** Condition for open members of a group that has another one, unless they were found distinct. */
const unsettledDuplicate = sql`${amongDuplicates} and ${isOpen('p')} and exists (
  select from publications other
  where other.duplicate_key = p.duplicate_key and other.id <> p.id and ${isOpen('other')})
  and not exists (select from (${distinctGroups}) settled where settled.duplicate_key = p.duplicate_key)`
