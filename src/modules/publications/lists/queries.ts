import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { invalid } from '../../../platform/errors.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { listedColumns } from '../columns.office.ts'
import { memberColumns, publicationTables } from '../columns.ts'
import { supervisedBy } from '../moderation/supervision.ts'
import type { MemberPublication } from '../schema.ts'
import { containsWords } from '../search.ts'
import { attachedTo } from '../visibility.ts'
import { countOf } from './counts.ts'
import { filtersFirst, matching, tablesFor } from './filters.ts'
import { listByOldestReport } from './oldest-report.ts'
import type {
  AdminQuery,
  ListedPublication,
  ListQuery,
  MairiePublication,
  MairieQuery,
  MyQuery,
} from './schema.ts'
import { orderOf } from './sorts.ts'

/** Duplicates carry the reason and the size of their group. */
const duplicateColumns = sql`p.duplicate_key,
  case when p.duplicate_key like 'u:%' then 'source_url' else 'signature' end as duplicate_reason,
  (select g.members from duplicate_groups g where g.duplicate_key = p.duplicate_key) as duplicate_count`

const filtered = (query: ListQuery) => sql`${tablesFor(query)} where ${matching(query)}`

async function countManaged(db: Database, query: ListQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`select ${countOf(query)} as total`.execute(db)
  return rows[0]?.total ?? 0
}

/** Beyond this offset the total is computed first, so that a page of the second half can be read from the end. */
const farPage = 10_000

/** Returns a page of the back-office list in any state, with the total. */
export async function listManaged(
  db: Database,
  { sort, ...asked }: AdminQuery,
  paging: Paging,
): Promise<{ rows: ListedPublication[]; total: number }> {
  if (sort === 'oldest_report_asc') {
    if (asked.duplicates) throw invalid('sort', messages.duplicates)
    return listByOldestReport(db, asked, paging)
  }
  const query: ListQuery = sort === undefined ? asked : { ...asked, sort }
  if (query.q !== undefined && containsWords(query.q)) {
    // A text search materialises all matches to count them, so it runs once.
    const found = sql`select ${foundColumns(query)} from ${filtered(query)}`
    const columns = query.duplicates ? sql`${listedColumns}, ${duplicateColumns}` : listedColumns
    return listFound<ListedPublication>(db, { found, filters: query, columns }, paging)
  }
  if (query.duplicates || paging.offset < farPage) {
    const list = query.duplicates ? listDuplicates : listSorted
    const [rows, total] = await Promise.all([list(db, query, paging), countManaged(db, query)])
    return { rows, total }
  }
  const total = await countManaged(db, query)
  const { limit, offset } = paging
  const left = Math.max(0, Math.min(limit, total - offset))
  if (left === 0) return { rows: [], total }
  if (offset < total / 2) return { rows: await listSorted(db, query, paging), total }
  const fromEnd = { limit: left, offset: total - offset - left }
  return { rows: (await listSorted(db, query, fromEnd, true)).reverse(), total }
}

/** Picks the ids first and reads only their rows in full. */
async function listSorted(
  db: Database,
  query: ListQuery,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'>,
  isBackwards = false,
): Promise<ListedPublication[]> {
  const { column, by, byBackwards } = orderOf(query)
  const order = (isBackwards ? byBackwards : by)('l')
  const { rows } = await sql<ListedPublication>`
    with listed as ${filtersFirst(query, column) ? sql`materialized` : sql`not materialized`} (
      select p.id, p.${sql.ref(column)} from ${filtered(query)}),
    picked as materialized (
      select id, row_number() over () as place from (
        select l.id from listed l order by ${order} limit ${limit} offset ${offset}) page)
    select ${listedColumns} from picked join ${publicationTables} on p.id = picked.id
    order by picked.place`.execute(db)
  return rows
}

/**
 * Same for suspected duplicates. A group has the position of its first listed member, with the other members right
 * after it. First members come from the sort's index until the page is full, or from the groups where there are few.
 */
async function listDuplicates(
  db: Database,
  query: ListQuery,
  { limit, offset }: Paging,
): Promise<ListedPublication[]> {
  const order = orderOf(query)
  const { rows } = await sql<ListedPublication>`
    with listed as not materialized (
      select p.* from ${filtered(query)}),
    picked as materialized (
      select id, row_number() over () as place from (
        select member.id from listed first join listed member on member.duplicate_key = first.duplicate_key
        where not exists (
          select from listed earlier
          where earlier.duplicate_key = first.duplicate_key and ${order.isBefore('earlier', 'first')})
        order by ${order.by('first')}, ${order.by('member')} limit ${limit} offset ${offset}) page)
    select ${listedColumns}, ${duplicateColumns} from picked join ${publicationTables} on p.id = picked.id
    order by picked.place`.execute(db)
  return rows
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

/** Returns a page of the publications of these acteurs, in every state but deleted. A deleted acteur has no members. */
export function listOfActeurs(db: Database, { acteurIds, filters, communeIds }: MyList, paging: Paging) {
  const found = writtenBy(
    sql`any(array(select id from acteurs where id = any(${acteurIds}::uuid[]) and deleted_at is null))`,
    filters,
    communeIds,
  )
  return listFound<MemberPublication>(db, { found, filters, columns: memberColumns }, paging)
}

/**
 * Returns a page of a mairie's own and supervised publications, from its own and its communes' indexes: the cost grows
 * with them, not with the country.
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

type Found = { found: RawBuilder<unknown>; filters: ListQuery; columns: RawBuilder<unknown> }

/**
 * Returns a page of matches that are materialised once to be counted and sorted; the total comes with an empty page
 * too. Duplicate groups have the position of their first member.
 */
async function listFound<Row extends { id: string }>(
  db: Database,
  { found, filters, columns }: Found,
  { limit, offset }: Paging,
): Promise<{ rows: Row[]; total: number }> {
  const order = orderOf(filters)
  const { rows } = await sql<Row & { total: number }>`
    with found as materialized (${found}),
    placed as (
      select id, duplicate_key, row_number() over (order by ${order.by('found')}) as place from found),
    picked as materialized (
      select id, place, ${filters.duplicates ? sql`min(place) over (partition by duplicate_key)` : sql`place`} as first_place
      from placed order by first_place, place limit ${limit} offset ${offset})
    select ${columns}, counted.total
    from (select count(*) as total from found) counted
    left join (picked join (${publicationTables}) on p.id = picked.id) on true
    order by picked.first_place, picked.place`.execute(db)
  const listed = rows.filter(({ id }) => id !== null)
  return { rows: listed.map(({ total, ...row }) => row as unknown as Row), total: rows[0]?.total ?? 0 }
}

const messages = {
  duplicates: { en: 'cannot be combined with duplicates', fr: 'ne peut pas être combiné avec duplicates' },
}
