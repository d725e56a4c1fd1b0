import { type RawBuilder, sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import { allOf, among } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { byId, type SortOrder, sortOrder, sortOrders } from '../../../platform/database/sort-order.ts'
import { type Placed, readSlice, type Slice } from '../../../platform/http/listing/slice.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { type CommuneRow, communeFields } from '../editing/schema.ts'
import { conditionsOf, hasNear, type Precision, usualKeys } from '../search.ts'
import type { CommunesAdminQuery } from './schema.ts'

/** Lists a page with the total; lists near matches if the search has no exact match. */
export async function listManagedCommunes(
  db: Database,
  query: CommunesAdminQuery,
  paging: Paging,
): Promise<Slice<CommuneRow> & { total: number }> {
  const exact = await listAndCount(db, query, paging, 'exact')
  return exact.total > 0 || !hasNear(query) ? exact : listAndCount(db, query, paging, 'near')
}

async function listAndCount(db: Database, query: CommunesAdminQuery, paging: Paging, precision: Precision) {
  const order = orderOf(query)
  const isChosen = chosen(query, precision)
  const [slice, counted] = await Promise.all([
    readSlice<CommuneRow>(paging, order, async ({ after, limit, offset }) => {
      const { rows } = await sql<CommuneRow & Placed>`
        select ${columnList(communeFields)}, ${order.values} from communes
        where ${allOf(isChosen, after)}
        order by ${order.by} limit ${limit} offset ${offset}`.execute(db)
      return rows
    }),
    sql<{ total: number }>`select count(*) as total from communes where ${isChosen}`.execute(db),
  ])
  return { ...slice, total: counted.rows[0]?.total ?? 0 }
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

/** Sorts communes without a population last in both directions. */
const orders = sortOrders('communes', {
  nom: [{ by: sql`sort_name`, type: 'text' }, byId],
  population: [{ by: sql`population`, type: 'number', isNullable: true }, byId],
  code_insee: [{ by: sql`code_insee`, type: 'text' }],
})

/** Returns the requested order; by default a search sorts by relevance to its words. */
function orderOf({ sort, ...asked }: CommunesAdminQuery): SortOrder {
  if (sort !== undefined) return orders[sort]
  return sortOrder(`communes ${asked.q ?? ''}`, usualKeys(asked), { isIndexed: false })
}
