import { type RawBuilder, sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import { allOf, among } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { type CommuneRow, communeFields } from '../editing/schema.ts'
import { conditionsOf, hasNear, type Precision, usualOrder } from '../search.ts'
import type { CommunesAdminQuery } from './schema.ts'

/** A page and the total; of what may have been meant, where the search finds nothing. */
export async function listManagedCommunes(
  db: Database,
  query: CommunesAdminQuery,
  paging: Paging,
): Promise<{ rows: CommuneRow[]; total: number }> {
  const exact = await listAndCount(db, query, paging, 'exact')
  return exact.total > 0 || !hasNear(query) ? exact : listAndCount(db, query, paging, 'near')
}

async function listAndCount(
  db: Database,
  query: CommunesAdminQuery,
  { limit, offset }: Paging,
  precision: Precision,
) {
  const order = query.sort === undefined ? usualOrder(query) : orders[query.sort]
  const isChosen = chosen(query, precision)
  const [page, counted] = await Promise.all([
    sql<CommuneRow>`
      select ${columnList(communeFields)} from communes where ${isChosen}
      order by ${order} limit ${limit} offset ${offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from communes where ${isChosen}`.execute(db),
  ])
  return { rows: page.rows, total: counted.rows[0]?.total ?? 0 }
}

function chosen({ ids, mairie, ...asked }: CommunesAdminQuery, precision: Precision): RawBuilder<boolean> {
  const both = new Set(mairie).size === 2
  return allOf(
    ...conditionsOf(asked, precision),
    among('id', ids),
    !both && mairie?.[0] === true && sql`mairie_actor_id is not null`,
    !both && mairie?.[0] === false && sql`mairie_actor_id is null`,
  )
}

/** Communes without a population come last in both directions. */
const orders: Record<NonNullable<CommunesAdminQuery['sort']>, RawBuilder<unknown>> = {
  nom_desc: sql`sort_name desc, id desc`,
  nom_asc: sql`sort_name, id`,
  population_desc: sql`population desc nulls last, id desc`,
  population_asc: sql`population, id`,
  code_insee_desc: sql`code_insee desc`,
  code_insee_asc: sql`code_insee`,
}
