import { type RawBuilder, sql } from 'kysely'
import { allOf } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Position } from '../../../platform/http/listing/cursor.ts'
import { publicationTables, publicColumns } from '../columns.ts'
import type { Publication } from '../schema.ts'
import { countShown, isCounted, isDue, listedIn } from '../stored-lists.ts'
import { visible } from '../visibility.ts'
import type { PublicList } from './pages.ts'

/**
 * Lists visible publications by last change, after a position. A national list walks the index of that order;
 * a restricted one finds its publications first, then sorts them.
 */
export async function listUpdated(
  db: Database,
  list: PublicList,
  { at, id }: Position,
  limit: number,
): Promise<Publication[]> {
  const { commune_id, acteur_id, type_id } = list.filters
  const isNarrow = commune_id !== undefined || acteur_id !== undefined || list.communeIds !== null
  const changed = sql`(p.updated_at, p.id) > (${at}::timestamptz, ${id}::uuid)`
  const order = sql`order by p.updated_at, p.id limit ${limit}`
  const picked = isNarrow
    ? sql`
      select p.id, p.updated_at from publications p where ${changed} and p.id = any(array(
        select l.publication_id from publication_listings l where ${listed(list)})) ${order}`
    : sql`
      select p.id, p.updated_at from publications p left join acteurs a on a.id = p.acteur_id
      where ${allOf(changed, visible, type_id !== undefined && sql`p.type_id = ${type_id}`)} ${order}`
  const { rows } = await sql<Publication>`
    with picked as materialized (${picked})
    select ${publicColumns} from picked join (${publicationTables}) on p.id = picked.id
    order by picked.updated_at, picked.id`.execute(db)
  return rows
}

/** Counts all visible publications of the list, from the counts that triggers maintain where possible. */
export async function countListed(db: Database, list: PublicList): Promise<number> {
  const { commune_id, acteur_id, type_id } = list.filters
  const listing = { commune_id, acteur_id, type_id }
  const total =
    list.communeIds === null && isCounted(listing)
      ? countShown(listing)
      : sql`(select count(distinct l.publication_id)::int from publication_listings l where ${listed(list)})`
  const { rows } = await sql<{ total: number }>`select ${total} as total`.execute(db)
  return rows[0]?.total ?? 0
}

/** Condition for due rows of the list, over `publication_listings l`; a publication may have several rows. */
function listed({
  filters: { commune_id, acteur_id, type_id },
  communeIds,
}: PublicList): RawBuilder<boolean> {
  if (communeIds === null) return allOf(isDue, listedIn({ commune_id, acteur_id, type_id }))
  return allOf(
    isDue,
    commune_id === undefined
      ? sql`l.commune_id = any(${communeIds}::uuid[])`
      : sql`l.commune_id = ${commune_id}`,
    commune_id !== undefined &&
      sql`l.publication_id in (
        select publication_id from publication_communes where commune_id = any(${communeIds}::uuid[]))`,
    type_id !== undefined && sql`l.type_id = ${type_id}`,
    acteur_id !== undefined && sql`l.acteur_id = ${acteur_id}`,
  )
}
