import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { managedColumns, publicationTables } from '../columns.ts'
import { supervisedBy } from '../moderation/supervision.ts'
import type { ManagedPublication } from '../schema.ts'
import { holdsWords } from '../search.ts'
import { attachedTo } from '../visibility.ts'
import { countOf } from './counts.ts'
import { filtersFirst, matching, tablesFor } from './filters.ts'
import type { AdminQuery, ListedPublication, MairiePublication, MairieQuery, MyQuery } from './schema.ts'
import { orderOf } from './sorts.ts'

/** Duplicates say why they are listed, and how many there are. */
const duplicateColumns = sql`${managedColumns}, p.duplicate_key,
  case when p.duplicate_key like 'u:%' then 'source_url' else 'signature' end as duplicate_reason,
  (select g.members from duplicate_groups g where g.duplicate_key = p.duplicate_key) as duplicate_count`

const filtered = (query: AdminQuery) => sql`${tablesFor(query)} where ${matching(query)}`

async function countManaged(db: Database, query: AdminQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`select ${countOf(query)} as total`.execute(db)
  return rows[0]?.total ?? 0
}

/** From here on it pays to know the total first: a page of the second half is then read from the end. */
const farPage = 10_000

/** A page of the back-office's list, in any state, and how many there are. */
export async function listManaged(
  db: Database,
  query: AdminQuery,
  paging: Paging,
): Promise<{ rows: ListedPublication[]; total: number }> {
  if (query.q !== undefined && holdsWords(query.q)) {
    // What holds some words is found whole, to be counted: so it is found but once.
    const found = sql`select ${foundColumns(query)} from ${filtered(query)}`
    const columns = query.duplicates ? duplicateColumns : managedColumns
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

/** The ids are picked first: only their rows are read whole. */
async function listSorted(
  db: Database,
  query: AdminQuery,
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
    select ${managedColumns} from picked join ${publicationTables} on p.id = picked.id
    order by picked.place`.execute(db)
  return rows
}

/**
 * The same of suspected duplicates. Groups stand where their first member of the list stands in the sort, and their other
 * members right after it: the first ones are found along the sort's index, until the page is full, or from the groups
 * where there are few.
 */
async function listDuplicates(
  db: Database,
  query: AdminQuery,
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
    select ${duplicateColumns} from picked join ${publicationTables} on p.id = picked.id
    order by picked.place`.execute(db)
  return rows
}

type OwnList<Query> = {
  filters: Omit<Query, 'page' | 'per_page'>
  /** The communes that the application is restricted to; null: no restriction. */
  communeIds: string[] | null
}
export type MairieList = OwnList<MairieQuery> & {
  mairieId: string
  /** Whether the caller may decide in the mairie's name. */
  mayDecide: boolean
}
export type MyList = OwnList<MyQuery> & { acteurIds: string[] }

/** A page of what these acteurs have written, in any state but deleted; for a deleted acteur nobody acts. */
export function listOfActeurs(db: Database, { acteurIds, filters, communeIds }: MyList, paging: Paging) {
  const found = writtenBy(
    sql`any(array(select id from acteurs where id = any(${acteurIds}::uuid[]) and deleted_at is null))`,
    filters,
    communeIds,
  )
  return listFound<ManagedPublication>(db, { found, filters, columns: managedColumns }, paging)
}

/**
 * A page of what a mairie has written, and of what it may supervise, from what is the mairie's or its communes', each by
 * its index: what it costs grows with them, not with the country.
 */
export function listForMairie(
  db: Database,
  { mairieId, filters, communeIds, mayDecide }: MairieList,
  paging: Paging,
) {
  const { supervision = 'false', duplicates = false } = filters
  const own = writtenBy(sql`${mairieId}`, filters, communeIds)
  // A publication of two communes of one mairie is found twice, and counted once.
  const supervised = sql`
    select distinct ${foundColumns(filters)} from ${tablesFor(filters)}
    join publication_communes link on link.publication_id = p.id
    join communes named on named.id = link.commune_id
    where named.mairie_actor_id = ${mairieId} and ${supervisedBy(sql<string>`${mairieId}`)}
      and ${wanted(filters, communeIds)}`
  const found = { false: own, true: sql`${own} union ${supervised}`, only: supervised }[supervision]
  const columns = sql`${duplicates ? duplicateColumns : managedColumns},
    ${mayDecide} and not p.decided_centrally and exists (
      select from acteurs m where m.id = ${mairieId} and m.active) as may_moderate`
  return listFound<MairiePublication>(db, { found, filters, columns }, paging)
}

const wanted = (filters: MairieQuery, communeIds: string[] | null) =>
  allOf(matching(filters), communeIds !== null && attachedTo(communeIds))

const foundColumns = (filters: MairieQuery) =>
  sql`p.id, p.duplicate_key, p.${sql.ref(orderOf(filters).column)}`

const writtenBy = (acteur: RawBuilder<unknown>, filters: MairieQuery, communeIds: string[] | null) => sql`
  select ${foundColumns(filters)} from ${tablesFor(filters)}
  where p.acteur_id = ${acteur} and ${wanted(filters, communeIds)}`

type Found = { found: RawBuilder<unknown>; filters: MairieQuery; columns: RawBuilder<unknown> }

/**
 * A page of what was found: all of it is found once, to be counted and sorted; the count comes also with a page that is
 * empty. Groups of duplicates stand where their first member does.
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
