import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import type { Paging } from '../../platform/http/paging.ts'
import { publicationColumns, publicationTables } from './columns.ts'
import { conditions, duplicateCount, type ListedRow, orders } from './lists/queries.ts'
import { supervisedBy } from './moderation/authorise.ts'
import type { MairieQuery } from './schema.mairie.ts'
import { inScope } from './visibility.ts'

export type MairieList = {
  mairieId: string
  filters: Omit<MairieQuery, 'page' | 'per_page'>
  /** The communes that the application is restricted to; null: no restriction. */
  communeIds: string[] | null
}

/**
 * A page of what a mairie has written, and of what it may supervise. All of it is found once, to be counted and sorted;
 * the count comes also with a page that is empty.
 */
export async function listForMairie(
  db: Database,
  list: MairieList,
  { limit, offset }: Paging,
): Promise<{ rows: ListedRow[]; total: number }> {
  const { duplicates } = list.filters
  const { rows } = await sql<ListedRow & { total: number }>`
    with reach as materialized (${reach(list)}),
    picked as materialized (
      select id, row_number() over () as place from (
        ${duplicates ? byGroup(list) : inOrder(list)} limit ${limit} offset ${offset}) page)
    select ${publicationColumns}${duplicates ? duplicateCount : sql``}, counted.total from (select count(*) as total from reach) counted
    left join (picked join (${publicationTables}) on p.id = picked.id) on true
    order by picked.place`.execute(db)
  const found = rows.filter(({ id }) => id !== null)
  return { rows: found.map(({ total, ...row }) => row), total: rows[0]?.total ?? 0 }
}

const inOrder = (list: MairieList) => sql`select r.id from reach r order by ${orderOf(list).order('r')}`

/** Groups of duplicates stand where their first member of the list does, and their other members right after it. */
const byGroup = (list: MairieList) => sql`
  select id from (
    select id, place, min(place) over (partition by duplicate_key) as first from (
      select r.id, r.duplicate_key, row_number() over (order by ${orderOf(list).order('r')}) as place from reach r
    ) placed) grouped
  order by first, place`

/**
 * From what is the mairie's or its communes', each by its index: what it costs grows with them, not with the country.
 * A publication of two communes of one mairie is found twice, and counted once.
 */
function reach(list: MairieList): RawBuilder<unknown> {
  const { mairieId, filters, communeIds } = list
  const columns = sql`p.id, p.duplicate_key, p.${sql.ref(orderOf(list).column)}`
  const wanted = sql`${conditions(filters)} and ${inScope(communeIds)}`
  const own = sql`select ${columns} from publications p where p.acteur_id = ${mairieId} and ${wanted}`
  const supervised = sql`
    select ${columns} from communes c join publication_communes link on link.commune_id = c.id
    join publications p on p.id = link.publication_id
    where c.mairie_actor_id = ${mairieId} and ${supervisedBy(sql<string>`${mairieId}`)} and ${wanted}`
  const { supervision = 'false' } = filters
  return {
    false: own,
    true: sql`${own} union ${supervised}`,
    only: sql`select distinct * from (${supervised}) s`,
  }[supervision]
}

const orderOf = ({ filters }: MairieList) => orders[filters.sort ?? 'created_at_desc']
