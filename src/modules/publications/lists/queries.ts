import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { prepared } from '../../../platform/database/pools/prepared.ts'
import { invalid } from '../../../platform/errors.ts'
import { hasWord } from '../../../platform/formats/text.ts'
import { countMatches, type List, type ListResult, readList } from '../../../platform/http/listing/list.ts'
import { maxCounted, maxCountedOfList, type Paging } from '../../../platform/http/listing/paging.ts'
import { memberColumns, publicationTables } from '../columns.ts'
import { supervisedBy } from '../moderation/supervision.ts'
import { listedColumns } from '../office.ts'
import { restorable } from '../queries.ts'
import type { MemberPublication } from '../schema.ts'
import { foundIn, rowsToWalk } from '../search.ts'
import { attachedTo } from '../visibility.ts'
import { countManaged, fewRows, isWhole } from './counting.ts'
import { matching, tablesFor } from './filters.ts'
import { pickByOldestReport } from './oldest-report.ts'
import type {
  AdminQuery,
  ListedPublication,
  ListQuery,
  MairiePublication,
  MairieQuery,
  MyQuery,
  Sort,
} from './schema.ts'
import { columnOf, inOrder, precedes, sortKeys } from './sorts.ts'

type Picked = { id: string }
type Sorted = Pick<ListQuery, 'sort'>

/** Members with the value and id of the first of their group. It reads and sorts all that were found. */
const groupedInOrder = (sort: Sort) => sql`(
  select member.*, first_value(member.${sql.ref(columnOf(sort))}) over alike as first_value,
    first_value(member.id) over alike as first_id
  from found member
  window alike as (partition by member.duplicate_key order by ${inOrder(sort, 'member')})) l`

/**
 * The same where `found` is not materialized: PostgreSQL walks the index of the sort and looks the members of each group
 * up by its index, those of large groups once. `offset 0` keeps it from joining the members first: before version 18 it
 * underestimates that join.
 */
const groupedByIndex = (sort: Sort) => sql`(
  select member.*, first.${sql.ref(columnOf(sort))} as first_value, first.id as first_id
  from found first
  cross join lateral (select * from found where found.duplicate_key = first.duplicate_key offset 0) member
  where first.id in (select id from first_of_large) or (
    first.duplicate_key not in (select duplicate_key from first_of_large) and not exists (
      select from found earlier
      where earlier.duplicate_key = first.duplicate_key and ${precedes(sort, 'earlier', 'first')}))) l`

/** The first members of groups so large that their members should not be compared with each other. */
const firstOfLarge = (sort: Sort) => sql`first_of_large as materialized (
  select large.duplicate_key, first.id from duplicate_groups large
  cross join lateral (
    select id from found member where member.duplicate_key = large.duplicate_key
    order by ${inOrder(sort, 'member')} limit 1) first
  where large.members > 100)`

/**
 * The publications that `found` selects by id and the value to sort by. Of suspected duplicates, a group takes the
 * position of its first listed member, which the others follow.
 */
const listOf = (
  found: RawBuilder<unknown>,
  { sort = 'created_at_desc', duplicates = false, q }: Pick<ListQuery, 'sort' | 'duplicates' | 'q'>,
  { isMaterialized = true, total = countFound(q) } = {},
): List<Sorted, Picked> => ({
  isSearch: q !== undefined,
  name: duplicates ? 'duplicates' : 'publications',
  with: sql`found as ${sql.raw(isMaterialized ? '' : 'not ')}materialized (${found})${
    duplicates && !isMaterialized ? sql`, ${firstOfLarge(sort)}` : sql``
  }`,
  from: duplicates ? (isMaterialized ? groupedInOrder(sort) : groupedByIndex(sort)) : sql`found l`,
  as: 'l',
  filters: {},
  sorts: sortKeys({ ofGroups: duplicates }),
  defaults: { sort },
  columns: sql<Picked>`l.id`,
  total,
})

const countFound = (q: string | undefined) =>
  countMatches(sql`select from found`, q === undefined ? maxCountedOfList : maxCounted)

// Without the key, an index may have all that is needed.
const foundColumns = ({ sort = 'created_at_desc', duplicates }: ListQuery) =>
  sql`p.id, ${duplicates ? sql`p.duplicate_key,` : sql``} p.${sql.ref(columnOf(sort))}`

/** A condition besides the filters of a query: those of some acteurs; false: none. */
type Own = RawBuilder<boolean> | false

/**
 * The back-office list in any state. A search for words is read whole, to sort its matches, unless so many are expected
 * that walking the index of the sort finds the page sooner. Unsettled duplicates are read whole, each compared with its
 * group. Other lists are counted first: PostgreSQL assumes that filters and sort are independent, and would walk an index
 * to its far end if few rows match, or those that do are all there.
 */
async function managedList(
  db: Database,
  query: ListQuery,
  paging: Paging,
  own: Own = false,
): Promise<List<Sorted, Picked>> {
  const { q, ...others } = query
  const { sort = 'created_at_desc', duplicates, unsettled } = query
  const where = allOf(matching(query), own)
  const found = sql`select ${foundColumns(query)} from ${tablesFor(query)} where ${where}`
  if (q !== undefined && hasWord(q)) {
    const list = listOf(found, query)
    if (unsettled || duplicates) return list
    const enough = Math.max(maxCounted + 1, paging.offset + paging.limit + 1)
    const walked = await rowsToWalk(db, q, enough, own || undefined)
    return walked === 0 ? list : { ...list, ...walking(query, allOf(matching(others), own), walked) }
  }
  if (unsettled) return listOf(found, others)
  const { counted, ids } = await countManaged(db, others, own)
  const total = sql<number>`${counted}::int`
  if (ids !== null)
    return listOf(
      sql`select ${foundColumns(query)} from publications p where p.id = any(${ids}::uuid[])`,
      others,
      { total },
    )
  if (duplicates || counted <= fewRows) return listOf(found, others, { isMaterialized: !duplicates, total })
  // An index of each filter has this order; without filters, that of the sort has all that is needed.
  const isOfIndex =
    own === false && (columnOf(sort) === 'created_at' || (isWhole(others) && others.deleted !== 'only'))
  if (isOfIndex) return listOf(found, others, { isMaterialized: false, total })
  // In vain, a walk of as many rows costs no more than reading the matches; where they are many, it finds one in twenty.
  const { limit, offset } = paging
  const walked = counted > maxCountedOfList ? maxCountedOfList + 20 * (offset + limit) : counted
  const first = firstOf(
    query,
    (after, by) => sql`
    select ${foundColumns(query)} from ${tablesFor(
      query,
      sql`(select l.* from publications l where ${after} order by ${by} limit ${walked})`,
    )} where ${where}`,
  )
  return { ...listOf(found, others, { total }), first }
}

type First = NonNullable<List<Sorted, Picked>['first']>

/** Selects the first matches from `walk` if it finds enough, else from `found`. */
const firstOf =
  (
    query: ListQuery,
    walk: (after: RawBuilder<boolean>, by: RawBuilder<unknown>) => RawBuilder<unknown>,
  ): First =>
  (after, by, limit) => {
    const columns = listedOf(query)
    return sql`
      with walked as materialized (select ${columns} from (${walk(after, by)}) l order by ${by} limit ${limit})
      select ${columns} from walked l where (select count(*) from walked) >= ${limit}
      union all
      select ${columns} from found l where ${after} and (select count(*) from walked) < ${limit}`
  }

/**
 * Walks the index of the sort until the page is full, and any rows until enough are counted. Reads the word index only if
 * the walk ends before.
 */
function walking(
  query: ListQuery,
  others: RawBuilder<boolean>,
  walked: number,
): Pick<List<Sorted, Picked>, 'first' | 'total'> {
  const contains = sql`l.search @@ publication_query(${query.q})`
  const rows = sql`(select ${foundColumns(query)}, p.search from ${tablesFor(query)} where ${others}) l`
  return {
    first: firstOf(
      query,
      (after, by) => sql`
      select l.* from (select l.* from ${rows} where ${after} order by ${by} limit ${walked}) l where ${contains}`,
    ),
    total: sql<number>`(
      with counted as materialized (
        select from (select l.search from ${rows} limit ${walked}) l where ${contains} limit ${sql.lit(maxCounted + 1)})
      select case when (select count(*) from counted) > ${sql.lit(maxCounted)} then ${sql.lit(maxCounted + 1)}
        else ${countFound(query.q)} end)`,
  }
}

const listedOf = ({ sort = 'created_at_desc' }: ListQuery) => sql`l.id, l.${sql.ref(columnOf(sort))}`

/** Returns a page of the back-office list, or the rows after a cursor, with the total. */
export async function listManaged(
  db: Database,
  { sort, ...asked }: AdminQuery,
  paging: Paging,
): Promise<ListResult<ListedPublication>> {
  if (sort === 'oldest_report_asc' && asked.duplicates) throw invalid('sort', messages.duplicates)
  const query: ListQuery = sort === undefined || sort === 'oldest_report_asc' ? asked : { ...asked, sort }
  const picked =
    sort === 'oldest_report_asc'
      ? await pickByOldestReport(db, query, paging)
      : await readList(db, await managedList(db, query, paging), {}, paging)
  const columns = query.duplicates ? sql`${listedColumns}, ${duplicateColumns}` : listedColumns
  return withColumns<ListedPublication>(db, picked, query, columns)
}

/** Columns of duplicates: the key, the reason and the size of their group. */
const duplicateColumns = sql`p.duplicate_key,
  case when p.duplicate_key like 'u:%' then 'source_url' else 'signature' end as duplicate_reason,
  (select g.members from duplicate_groups g where g.duplicate_key = p.duplicate_key) as duplicate_count`

type OwnList<Query> = {
  filters: Omit<Query, 'page' | 'per_page'>
  /** Communes the application is restricted to; null: no restriction. */
  communeIds: string[] | null
}
export type MairieList = OwnList<MairieQuery> & {
  mairieId: string
  /** Whether the caller may decide for the mairie. */
  mayDecide: boolean
}
export type MyList = OwnList<MyQuery> & { acteurIds: string[] }

/** Returns a page of the publications of these acteurs, deleted ones apart; without deleted acteurs. */
export async function listOfActeurs(
  db: Database,
  { acteurIds, filters, communeIds }: MyList,
  paging: Paging,
): Promise<ListResult<MemberPublication>> {
  const own = allOf(
    // PostgreSQL knows how much these have; of ids that it has yet to select it would expect little.
    sql`p.acteur_id = any(${acteurIds}::uuid[]) and p.acteur_id <> all(array(
      select id from acteurs where id = any(${acteurIds}::uuid[]) and deleted_at is not null))`,
    filters.deleted === 'only' && restorable,
    communeIds !== null && attachedTo(communeIds),
  )
  const list = await managedList(db, filters, paging, own)
  return withColumns(db, await readList(db, list, {}, paging), filters, memberColumns)
}

/**
 * Returns a page of a mairie's own and supervised publications. It uses the indexes on acteur and commune, so
 * its cost does not depend on the size of the country.
 */
export async function listForMairie(
  db: Database,
  { mairieId, filters, communeIds, mayDecide }: MairieList,
  paging: Paging,
): Promise<ListResult<MairiePublication>> {
  const { supervision = 'false', duplicates = false } = filters
  const wanted = allOf(matching(filters), communeIds !== null && attachedTo(communeIds))
  const own = sql`
    select ${foundColumns(filters)} from ${tablesFor(filters)} where p.acteur_id = ${mairieId} and ${wanted}`
  // A publication in two communes of one mairie is found twice and counted once.
  const supervised = sql`
    select distinct ${foundColumns(filters)} from ${tablesFor(filters)}
    join publication_communes link on link.publication_id = p.id
    join communes named on named.id = link.commune_id
    where named.mairie_actor_id = ${mairieId} and ${supervisedBy(sql<string>`${mairieId}`)}
      and ${wanted}`
  const found = { false: own, true: sql`${own} union ${supervised}`, only: supervised }[supervision]
  const columns = sql`${memberColumns}, ${duplicates ? sql`${duplicateColumns},` : sql``}
    ${mayDecide} and not p.decided_centrally and exists (
      select from acteurs m where m.id = ${mairieId} and m.active) as may_moderate`
  return withColumns(db, await readList(db, listOf(found, filters), {}, paging), filters, columns)
}

/**
 * Reads picked publications in full. Picking is planned each time, because the best plan depends on the filters; this
 * statement has one good plan, and planning it would cost more than running it. A publication that was erased or
 * changed since it was picked, and no longer matches, is omitted: a list of pending ones shows no decided one. That is
 * evaluated as a column, because a condition would change the plan.
 */
async function withColumns<Row>(
  db: Database,
  picked: ListResult<Picked>,
  query: ListQuery,
  columns: RawBuilder<unknown>,
): Promise<ListResult<Row>> {
  if (picked.rows.length === 0) return { ...picked, rows: [] }
  const ids = picked.rows.map(({ id }) => id)
  const { rows } = await sql<Row & { still_matches: boolean }>`
    select ${columns}, ${query.q === undefined ? sql`` : sql`${foundIn(query.q)},`} ${matching(query)} as still_matches
    from unnest(${ids}::uuid[]) with ordinality picked (id, place)
    join ${publicationTables} on p.id = picked.id
    order by picked.place`.execute(prepared(db))
  return { ...picked, rows: rows.filter(({ still_matches }) => still_matches) }
}

const messages = {
  duplicates: { en: 'cannot be combined with duplicates', fr: 'ne peut pas être combiné avec duplicates' },
}
