import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalid } from '../../../platform/errors.ts'
import {
  type Part,
  type Placed,
  readSlice,
  type Slice,
  sliceOf,
} from '../../../platform/http/listing/slice.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { listedColumns } from '../columns.office.ts'
import { memberColumns } from '../columns.ts'
import { supervisedBy } from '../moderation/supervision.ts'
import type { MemberPublication } from '../schema.ts'
import { containsWords } from '../search.ts'
import { attachedTo } from '../visibility.ts'
import { countOf } from './counts.ts'
import { filtersFirst, matching, tablesFor } from './filters.ts'
import { pickByOldestReport } from './oldest-report.ts'
import { readRows } from './rows.ts'
import type {
  AdminQuery,
  ListedPublication,
  ListQuery,
  MairiePublication,
  MairieQuery,
  MyQuery,
} from './schema.ts'
import { listOrderOf, orderOf } from './sorts.ts'

/** Columns of duplicates: the key, the reason and the size of their group. */
const duplicateColumns = sql`p.duplicate_key,
  case when p.duplicate_key like 'u:%' then 'source_url' else 'signature' end as duplicate_reason,
  (select g.members from duplicate_groups g where g.duplicate_key = p.duplicate_key) as duplicate_count`

const filtered = (query: ListQuery) => sql`${tablesFor(query)} where ${matching(query)}`

async function countManaged(db: Database, query: ListQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`select ${countOf(query)} as total`.execute(db)
  return rows[0]?.total ?? 0
}

/** Beyond this offset the total is computed first, to read a page of the second half from the end. */
const farPage = 10_000

/** Returns a page of the back-office list in any state, or the rows after a cursor, with the total. */
export async function listManaged(
  db: Database,
  { sort, ...asked }: AdminQuery,
  paging: Paging,
): Promise<Found<ListedPublication>> {
  if (sort === 'oldest_report_asc') {
    if (asked.duplicates) throw invalid('sort', messages.duplicates)
    const picked = await pickByOldestReport(db, asked, paging)
    return { ...picked, rows: await readRows<ListedPublication>(db, listedColumns, picked.rows) }
  }
  const query: ListQuery = sort === undefined ? asked : { ...asked, sort }
  if (query.q !== undefined && containsWords(query.q)) {
    // A text search materialises all matches to count them, so it runs once.
    const found = sql`select ${foundColumns(query)} from ${filtered(query)}`
    return listFound<ListedPublication>(db, { found, filters: query, columns: columnsOf(query) }, paging)
  }
  const picked = await pickManaged(db, query, paging)
  return { ...picked, rows: await readRows<ListedPublication>(db, columnsOf(query), picked.rows) }
}

const columnsOf = ({ duplicates }: ListQuery) =>
  duplicates ? sql`${listedColumns}, ${duplicateColumns}` : listedColumns

type Picked = { id: string }

async function pickManaged(db: Database, query: ListQuery, paging: Paging): Promise<Found<Picked>> {
  if (query.duplicates || paging.offset < farPage) {
    const pick = query.duplicates ? pickDuplicates : pickSorted
    const [slice, total] = await Promise.all([
      pick(db, query, paging),
      paging.isCounted ? countManaged(db, query) : 0,
    ])
    return { ...slice, total }
  }
  const total = await countManaged(db, query)
  const { limit, offset } = paging
  const left = Math.max(0, Math.min(limit, total - offset))
  if (left === 0) return { rows: [], next: null, total }
  if (offset < total / 2) return { ...(await pickSorted(db, query, paging)), total }
  const after = sql<boolean>`true`
  const fromEnd = { after, limit: left, offset: total - offset - left }
  const rows = (await pickPart(db, query, fromEnd, true)).reverse()
  return { ...sliceOf<Picked>(rows, sortedOrder(query), total > offset + left), total }
}

const sortedOrder = (query: ListQuery) => listOrderOf(query, { row: 'l', first: 'l' })

const pickSorted = (db: Database, query: ListQuery, paging: Paging) =>
  readSlice<Picked>(paging, sortedOrder(query), (part) => pickPart(db, query, part))

async function pickPart(
  db: Database,
  query: ListQuery,
  { after, limit, offset }: Omit<Part, 'position'>,
  isBackwards = false,
): Promise<(Picked & Placed)[]> {
  const { column, by, byBackwards } = orderOf(query)
  const { rows } = await sql<Picked & Placed>`
    with listed as ${filtersFirst(query, column) ? sql`materialized` : sql`not materialized`} (
      select p.id, p.${sql.ref(column)} from ${filtered(query)})
    select l.id, ${sortedOrder(query).values} from listed l where ${after}
    order by ${(isBackwards ? byBackwards : by)('l')} limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/**
 * Picks suspected duplicates. A group takes the position of its first listed member; the other members follow
 * it. First members come from the sort's index until the page is full, or from the groups if there are few.
 */
function pickDuplicates(db: Database, query: ListQuery, paging: Paging): Promise<Slice<Picked>> {
  const { isBefore } = orderOf(query)
  const order = listOrderOf(query, { row: 'member', first: 'first' })
  return readSlice<Picked>(paging, order, async ({ after, limit, offset }) => {
    const { rows } = await sql<Picked & Placed>`
      with listed as not materialized (
        select p.* from ${filtered(query)})
      select member.id, ${order.values}
      from listed first join listed member on member.duplicate_key = first.duplicate_key
      where not exists (
        select from listed earlier
        where earlier.duplicate_key = first.duplicate_key and ${isBefore('earlier', 'first')}) and ${after}
      order by ${order.by} limit ${limit} offset ${offset}`.execute(db)
    return rows
  })
}

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

/** Returns a page of the publications of these acteurs, without deleted publications and deleted acteurs. */
export function listOfActeurs(db: Database, { acteurIds, filters, communeIds }: MyList, paging: Paging) {
  const found = writtenBy(
    sql`any(array(select id from acteurs where id = any(${acteurIds}::uuid[]) and deleted_at is null))`,
    filters,
    communeIds,
  )
  return listFound<MemberPublication>(db, { found, filters, columns: memberColumns }, paging)
}

/**
 * Returns a page of a mairie's own and supervised publications. It uses the indexes on acteur and commune, so
 * its cost does not depend on the size of the country.
 */
export function listForMairie(
  db: Database,
  { mairieId, filters, communeIds, mayDecide }: MairieList,
  paging: Paging,
) {
  const { supervision = 'false', duplicates = false } = filters
  const own = writtenBy(sql`${mairieId}`, filters, communeIds)
  // A publication in two communes of one mairie is found twice and counted once.
  const supervised = sql`
    select distinct ${foundColumns(filters)} from ${tablesFor(filters)}
    join publication_communes link on link.publication_id = p.id
    join communes named on named.id = link.commune_id
    where named.mairie_actor_id = ${mairieId} and ${supervisedBy(sql<string>`${mairieId}`)}
      and ${wanted(filters, communeIds)}`
  const found = { false: own, true: sql`${own} union ${supervised}`, only: supervised }[supervision]
  const columns = sql`${memberColumns}, ${duplicates ? sql`${duplicateColumns},` : sql``}
    ${mayDecide} and not p.decided_centrally and exists (
      select from acteurs m where m.id = ${mairieId} and m.active) as may_moderate`
  return listFound<MairiePublication>(db, { found, filters, columns }, paging)
}

const wanted = (filters: MairieQuery, communeIds: string[] | null) =>
  allOf(matching(filters), communeIds !== null && attachedTo(communeIds))

const foundColumns = (filters: ListQuery) => sql`p.id, p.duplicate_key, p.${sql.ref(orderOf(filters).column)}`

const writtenBy = (acteur: RawBuilder<unknown>, filters: MairieQuery, communeIds: string[] | null) => sql`
  select ${foundColumns(filters)} from ${tablesFor(filters)}
  where p.acteur_id = ${acteur} and ${wanted(filters, communeIds)}`

type Found<Row> = Slice<Row> & { total: number }
type Matches = { found: RawBuilder<unknown>; filters: ListQuery; columns: RawBuilder<unknown> }

/**
 * Materialises matches once, to count and sort them, and returns a page; even an empty page has the total.
 * Duplicate groups take the position of their first member.
 */
async function listFound<Row>(
  db: Database,
  { found, filters, columns }: Matches,
  paging: Paging,
): Promise<Found<Row>> {
  const order = listOrderOf(filters, { row: 'l', first: 'g', isIndexed: false })
  let total = 0
  const slice = await readSlice<Picked>(paging, order, async ({ after, limit, offset }) => {
    const { rows } = await sql<Picked & Placed & { total: number }>`
      with found as materialized (${found})
      select picked.id, picked.sort_values, counted.total
      from (select count(*) as total from found) counted
      left join (
        select l.id, row_number() over (order by ${order.by}) as place, ${order.values}
        from found l ${filters.duplicates ? withFirstMember(filters) : sql``}
        where ${after} order by place limit ${limit} offset ${offset}) picked on true
      order by picked.place`.execute(db)
    total = rows[0]?.total ?? 0
    return rows.filter(({ id }) => id !== null)
  })
  return { next: slice.next, rows: await readRows<Row>(db, columns, slice.rows), total }
}

/** Joins the first member of a row's duplicate group as `g`. */
const withFirstMember = (filters: ListQuery) => sql`join (
  select distinct on (m.duplicate_key) m.* from found m
  order by m.duplicate_key, ${orderOf(filters).by('m')}) g on g.duplicate_key = l.duplicate_key`

const messages = {
  duplicates: { en: 'cannot be combined with duplicates', fr: 'ne peut pas être combiné avec duplicates' },
}
