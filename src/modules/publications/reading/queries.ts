import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { publicationTables, publicColumns } from '../columns.ts'
import type { Publication } from '../schema.ts'
import { matches } from '../search.ts'
import { attachedTo, featuredNow, visible } from '../visibility.ts'
import type { PublicQuery } from './schema.ts'

export async function listPublicationTypes(db: Database) {
  return db.selectFrom('publication_types').select(['id', 'slug', 'libelle']).orderBy('position').execute()
}

/** A publication that anybody may see. */
export async function findPublication(db: Database, id: string): Promise<Publication | undefined> {
  const { rows } = await sql<Publication>`
    select ${publicColumns} from ${publicationTables} where p.id = ${id} and ${visible}`.execute(db)
  return rows[0]
}

/** In how many ms the next publication is due, or is featured no longer; from so long ago on. */
export async function findNextChange(db: Database, lookbackMs: number): Promise<number | null> {
  const { rows } = await sql<{ ms: number | null }>`
    with asked as (select clock_timestamp() as at, clock_timestamp() - ${lookbackMs} * interval '1 ms' as since)
    select (extract(epoch from least(
      (select min(publie_le) from publications where publie_le > since),
      (select min(featured_until) from publications where en_avant and featured_until > since)) - at) * 1000)::float8 as ms
    from asked`.execute(db)
  return rows[0]?.ms ?? null
}

/** An acteur with a public list: known, active, not deleted. */
export async function isActeurShown(db: Database, id: string): Promise<boolean> {
  const acteur = await db
    .selectFrom('acteurs')
    .select('id')
    .where('id', '=', id)
    .where('active', '=', true)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return acteur !== undefined
}

export type PublicList = {
  filters: Omit<PublicQuery, 'page' | 'per_page'>
  /** The communes that the application is restricted to; null: no restriction. */
  communeIds: string[] | null
  /** Which come before the others; both kinds go newest first. */
  comesFirst: RawBuilder<boolean>
}

export const featuredFirst = featuredNow
export const pinnedFirst = sql<boolean>`p.epingle`

type Counts = { total: number; first: number }

/** How many publications anybody may see in a list, and how many of them come first. */
export async function countVisible(db: Database, list: PublicList): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select
      (select count(*) from publications p left join acteurs a on a.id = p.acteur_id
       where ${listed(list)}) as total,
      (select count(*) from publications p left join acteurs a on a.id = p.acteur_id
       where ${listed(list)} and ${list.comesFirst}) as first`.execute(db)
  return rows[0] ?? { total: 0, first: 0 }
}

/**
 * A page of them. Those that come first, and then the others, are read in the order of their index from where the page
 * begins: nothing is sorted whole. Only ids are picked at first: a page far from the beginning then skips index entries,
 * not whole rows.
 */
export async function listVisible(
  db: Database,
  list: PublicList,
  { total, first }: Counts,
  { limit, offset }: Paging,
): Promise<Publication[]> {
  if (list.filters.sort !== undefined) return listAgenda(db, list, total, { limit, offset })
  if (total <= fewEnoughToSort) return listFewVisible(db, list, { limit, offset })
  const fromFirst = Math.max(0, Math.min(limit, first - offset))
  const { rows } = await sql<Publication>`
    with picked as materialized (
      (select p.id, 1 as part from publications p left join acteurs a on a.id = p.acteur_id
       where ${listed(list)} and ${list.comesFirst}
       order by p.publie_le desc, p.id desc limit ${fromFirst} offset ${Math.min(offset, first)})
      union all
      (select p.id, 2 as part from publications p left join acteurs a on a.id = p.acteur_id
       where ${listed(list)} and not ${list.comesFirst}
       order by p.publie_le desc, p.id desc limit ${limit - fromFirst} offset ${Math.max(0, offset - first)}))
    select ${publicColumns} from ${publicationTables} join picked on picked.id = p.id
    order by picked.part, p.publie_le desc, p.id desc`.execute(db)
  return rows
}

const fewEnoughToSort = 2_000

/** Where only few are left by the filters, those few are sorted: walking an index to find them would be longer. */
async function listFewVisible(
  db: Database,
  list: PublicList,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'>,
): Promise<Publication[]> {
  const { rows } = await sql<Publication>`
    with found as materialized (
      select p.id, p.publie_le, case when ${list.comesFirst} then 1 else 2 end as part
      from publications p left join acteurs a on a.id = p.acteur_id where ${listed(list)}),
    picked as materialized (
      select id, part from found order by part, publie_le desc, id desc limit ${limit} offset ${offset})
    select ${publicColumns} from ${publicationTables} join picked on picked.id = p.id
    order by picked.part, p.publie_le desc, p.id desc`.execute(db)
  return rows
}

/** By first day. Where only few are left by the filters they are found first, as above. */
async function listAgenda(
  db: Database,
  list: PublicList,
  total: number,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'>,
): Promise<Publication[]> {
  const { rows } = await sql<Publication>`
    with found as ${total <= fewEnoughToSort ? sql`materialized` : sql`not materialized`} (
      select p.id, p.date_debut
      from publications p left join acteurs a on a.id = p.acteur_id where ${listed(list)}),
    picked as materialized (
      select id from found order by date_debut, id limit ${limit} offset ${offset})
    select ${publicColumns} from ${publicationTables} join picked on picked.id = p.id
    order by p.date_debut, p.id`.execute(db)
  return rows
}

function listed({ filters, communeIds }: PublicList): RawBuilder<boolean> {
  const { commune_id, acteur_id, type_id, q, date_debut_min, date_debut_max, date_fin_min } = filters
  return allOf(
    visible,
    communeIds !== null && attachedTo(communeIds),
    commune_id !== undefined && attachedTo([commune_id]),
    acteur_id !== undefined && sql`p.acteur_id = ${acteur_id}`,
    type_id !== undefined && sql`p.type_id = ${type_id}`,
    q !== undefined && matches(q),
    date_debut_min !== undefined && sql`p.date_debut >= ${date_debut_min}`,
    date_debut_max !== undefined && sql`p.date_debut <= ${date_debut_max}`,
    date_fin_min !== undefined && sql`coalesce(p.date_fin, p.date_debut) >= ${date_fin_min}`,
  )
}
