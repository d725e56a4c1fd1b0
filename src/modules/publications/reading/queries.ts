import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { type PublicationRow, publicationColumns, publicationTables } from '../columns.ts'
import type { PublicQuery } from '../schema.ts'
import { matches } from '../search.ts'
import { featuredNow, inScope, visible } from '../visibility.ts'

export async function listPublicationTypes(db: Database) {
  return db.selectFrom('publication_types').select(['id', 'slug', 'libelle']).orderBy('position').execute()
}

/** A publication whatever its state, deleted ones too. */
export async function getPublication(db: Database, id: string): Promise<PublicationRow> {
  const { rows } = await sql<PublicationRow>`
    select ${publicationColumns} from ${publicationTables} where p.id = ${id}`.execute(db)
  return rows[0] ?? raise(notFound())
}

/** A publication that anybody may see, and whether it lies in the scope of the application. */
export async function findVisible(db: Database, id: string, communeIds: string[] | null) {
  const { rows } = await sql<PublicationRow & { in_scope: boolean }>`
    select ${publicationColumns}, ${inScope(communeIds)} as in_scope
    from ${publicationTables} where p.id = ${id} and ${visible}`.execute(db)
  return rows[0]
}

/** The same, without the publication itself. */
export async function findReachable(db: Database, id: string, communeIds: string[] | null) {
  const { rows } = await sql<{ in_scope: boolean }>`
    select ${inScope(communeIds)} as in_scope ${from} where p.id = ${id} and ${visible}`.execute(db)
  return rows[0]
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

type Filters = Omit<PublicQuery, 'page' | 'per_page'>
export type PublicList = {
  filters: Filters
  communeIds: string[] | null
  /** Which stand before the others; both kinds go newest first. */
  first: RawBuilder<boolean>
}

export const featuredFirst = featuredNow
export const pinnedFirst = sql<boolean>`p.epingle`

/**
 * A page of what anybody may see, in two statements. First it is counted how many there are, and how many of them stand
 * first. Each kind is then read in the order of its index from where the page begins: nothing is sorted whole. Where
 * only few are left by the filters, those few are sorted instead: walking an index to find them would be longer.
 */
export async function listVisible(
  db: Database,
  list: PublicList,
  paging: Paging,
): Promise<{ rows: PublicationRow[]; total: number }> {
  const shown = sql<boolean>`${visible}${sql.join(conditions(list), sql``)}`
  const { total, ahead } = await countVisible(db, shown, list.first)
  const picked =
    total <= fewEnoughToSort
      ? pickSorted(shown, list.first, paging)
      : pickLegs(shown, list.first, paging, ahead)
  // Only ids are picked at first: a page far from the beginning then skips index entries, not whole rows.
  const { rows } = await sql<PublicationRow>`
    with ${picked}
    select ${publicationColumns} from ${publicationTables} join picked on picked.id = p.id
    order by picked.turn, p.publie_le desc, p.id desc`.execute(db)
  return { rows, total }
}

const fewEnoughToSort = 2_000

function pickSorted(shown: RawBuilder<boolean>, first: RawBuilder<boolean>, { limit, offset }: Paging) {
  return sql`found as materialized (
      select p.id, p.publie_le, case when ${first} then 0 else 1 end as turn ${from} where ${shown}),
    picked as materialized (
      select id, turn from found order by turn, publie_le desc, id desc limit ${limit} offset ${offset})`
}

function pickLegs(shown: RawBuilder<boolean>, first: RawBuilder<boolean>, paging: Paging, ahead: number) {
  const { limit, offset } = paging
  const fromFirst = Math.max(0, Math.min(limit, ahead - offset))
  const legs = [
    fromFirst > 0 && leg(0, sql`${shown} and ${first}`, fromFirst, offset),
    fromFirst < limit &&
      leg(1, sql`${shown} and not ${first}`, limit - fromFirst, Math.max(0, offset - ahead)),
  ]
  return sql`picked as materialized (${sql.join(
    legs.filter((part) => part !== false),
    sql` union all `,
  )})`
}

async function countVisible(db: Database, shown: RawBuilder<boolean>, first: RawBuilder<boolean>) {
  const { rows } = await sql<{ total: number; ahead: number }>`
    select (select count(*) ${from} where ${shown}) as total,
      (select count(*) ${from} where ${shown} and ${first}) as ahead`.execute(db)
  return rows[0] ?? { total: 0, ahead: 0 }
}

const from = sql`from publications p left join acteurs a on a.id = p.acteur_id`

function leg(turn: number, which: RawBuilder<unknown>, limit: number, offset: number) {
  return sql`(select p.id, ${sql.lit(turn)} as turn ${from} where ${which}
    order by p.publie_le desc, p.id desc limit ${limit} offset ${offset})`
}

function conditions({ filters, communeIds }: PublicList): RawBuilder<unknown>[] {
  const { commune_id, acteur_id, type_id, q, date_debut_min, date_debut_max } = filters
  const words = q === undefined ? null : matches(q)
  return [
    communeIds !== null && inScope(communeIds),
    commune_id !== undefined && inScope([commune_id]),
    acteur_id !== undefined && sql`p.acteur_id = ${acteur_id}`,
    type_id !== undefined && sql`p.type_id = ${type_id}`,
    words !== null && words,
    date_debut_min !== undefined && sql`p.date_debut >= ${date_debut_min}`,
    date_debut_max !== undefined && sql`p.date_debut <= ${date_debut_max}`,
  ]
    .filter((condition) => condition !== false)
    .map((condition) => sql` and ${condition}`)
}
