import { sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { managedColumns, publicationTables } from '../columns.ts'
import { supervisedBy } from '../moderation/supervision.ts'
import { attachedTo } from '../visibility.ts'
import { filtersFirst, matching } from './filters.ts'
import type { AdminQuery, ListedPublication, MairieQuery } from './schema.ts'
import { orderOf } from './sorts.ts'

/** Duplicates say why they are listed, and how many there are. */
const duplicateColumns = sql`${managedColumns}, p.duplicate_key,
  case when p.duplicate_key like 'u:%' then 'source_url' else 'signature' end as duplicate_reason,
  (select g.members from duplicate_groups g where g.duplicate_key = p.duplicate_key) as duplicate_count`

export async function countManaged(db: Database, query: AdminQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from publications p where ${matching(query)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** A page of the back-office's list, in any state. The ids are picked first: only their rows are read whole. */
export async function listManaged(
  db: Database,
  query: AdminQuery,
  paging: Paging,
): Promise<ListedPublication[]> {
  if (query.duplicates) return listDuplicates(db, query, paging)
  const { limit, offset } = paging
  const order = orderOf(query)
  const { rows } = await sql<ListedPublication>`
    with listed as ${filtersFirst(query, order.column) ? sql`materialized` : sql`not materialized`} (
      select p.id, p.${sql.ref(order.column)} from publications p where ${matching(query)}),
    picked as materialized (
      select id, row_number() over () as place from (
        select l.id from listed l order by ${order.by('l')} limit ${limit} offset ${offset}) page)
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
      select p.* from publications p where ${matching(query)}),
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

export type MairieList = {
  mairieId: string
  filters: Omit<MairieQuery, 'page' | 'per_page'>
  /** The communes that the application is restricted to; null: no restriction. */
  communeIds: string[] | null
}

/**
 * A page of what a mairie has written, and of what it may supervise, from what is the mairie's or its communes', each by
 * its index: what it costs grows with them, not with the country. All of it is found once, to be counted and sorted; the
 * count comes also with a page that is empty. Groups of duplicates stand where their first member does.
 */
export async function listForMairie(
  db: Database,
  { mairieId, filters, communeIds }: MairieList,
  { limit, offset }: Paging,
): Promise<{ rows: ListedPublication[]; total: number }> {
  const order = orderOf(filters)
  const { supervision = 'false', duplicates = false } = filters
  const columns = sql`p.id, p.duplicate_key, p.${sql.ref(order.column)}`
  const wanted = allOf(matching(filters), communeIds !== null && attachedTo(communeIds))
  const own = sql`select ${columns} from publications p where p.acteur_id = ${mairieId} and ${wanted}`
  // A publication of two communes of one mairie is found twice, and counted once.
  const supervised = sql`
    select distinct ${columns} from communes c join publication_communes link on link.commune_id = c.id
    join publications p on p.id = link.publication_id
    where c.mairie_actor_id = ${mairieId} and ${supervisedBy(sql<string>`${mairieId}`)} and ${wanted}`
  const { rows } = await sql<ListedPublication & { total: number }>`
    with found as materialized (
      ${{ false: own, true: sql`${own} union ${supervised}`, only: supervised }[supervision]}),
    placed as (
      select id, duplicate_key, row_number() over (order by ${order.by('found')}) as place from found),
    picked as materialized (
      select id, place, ${duplicates ? sql`min(place) over (partition by duplicate_key)` : sql`place`} as first_place
      from placed order by first_place, place limit ${limit} offset ${offset})
    select ${duplicates ? duplicateColumns : managedColumns}, counted.total
    from (select count(*) as total from found) counted
    left join (picked join (${publicationTables}) on p.id = picked.id) on true
    order by picked.first_place, picked.place`.execute(db)
  const found = rows.filter(({ id }) => id !== null)
  return { rows: found.map(({ total, ...row }) => row), total: rows[0]?.total ?? 0 }
}
