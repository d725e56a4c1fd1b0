import { type RawBuilder, sql } from 'kysely'
import Type, { type Static } from 'typebox'
import { withCanOf } from '../../platform/access/rules.ts'
import { columnList } from '../../platform/database/columns.ts'
import { allOf, among, flag } from '../../platform/database/conditions.ts'
import type { Database } from '../../platform/database/connect.ts'
import { byId, type SortKey, type SortOrder, sortOrder } from '../../platform/database/sort-order.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { orderOf } from '../../platform/http/listing/list.ts'
import { ListPageWith, listPageOf } from '../../platform/http/listing/list-page.ts'
import {
  idsQuery,
  listQuery,
  type Paging,
  several,
  sortQuery,
  type Total,
  totalOfSearch,
} from '../../platform/http/listing/paging.ts'
import { readSlice, type Slice, type SliceRow } from '../../platform/http/listing/slice.ts'
import { oneOf, titled } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { type CommuneRow, canCommune, communeActions, gapsField, managedColumns } from './editing/schema.ts'
import { type Gap, gapNames, gapsOfMask, masksWith } from './gaps.ts'
import { communeFilters } from './schema.ts'
import { conditionsOf, defaultKeys, hasNear, type Precision } from './search.ts'

export const CommunesAdminQuery = Type.Object({
  ...listQuery,
  sort: sortQuery(['nom', 'population', 'code_insee'], 'nom_asc'),
  ids: idsQuery,
  ...communeFilters,
  mairie: several(Type.Boolean(), 'With a mairie, or without'),
  incomplete: several(
    oneOf(gapNames),
    'Communes that lack at least one of these: `elus`, `collectes`; `infos`, if the public lacks the address, telephone, e-mail or website; `mairie`, if none is named or it is hidden',
  ),
})
export type CommunesAdminQuery = Static<typeof CommunesAdminQuery>

const ManagedCommune = titled('ManagedCommune', { ...managedColumns, gaps: gapsField, can: canCommune })

const count = Type.Integer({ examples: [120] })
const incomplete = Type.Object(
  { elus: count, collectes: count, infos: count, mairie: count },
  { description: 'How many of the communes that the other filters leave lack each' },
)
const CommunesPage = ListPageWith('ManagedCommunesMeta', { incomplete }, ManagedCommune)

export function listingRoutes(scope: SignedInScope, { lists }: Deps): void {
  scope.get(
    '/admin/communes',
    {
      schema: {
        operationId: 'listManagedCommunes',
        summary: 'List communes with their missing data, by name, or by relevance with `q`',
        querystring: CommunesAdminQuery,
        response: { 200: CommunesPage },
      },
    },
    async ({ query }) => {
      let counts = countsByGap([])
      const read = async (paging: Paging) => {
        const found = await listManagedCommunes(lists, query, paging)
        counts = countsByGap(found.byMask)
        return found
      }
      const { data, meta } = await listPageOf(query, read, (rows) => rows.map(withCanOf(communeActions)))
      return { data, meta: { ...meta, incomplete: counts } }
    },
  )
}

type ListedCommune = CommuneRow & { gaps: Gap[] }
/** How many communes have each value of `commune_gaps.gaps`. */
type Counted = { mask: number; count: number }
type ListSlice = Slice<ListedCommune> & Total & { byMask: Counted[] }

/** Lists a page with the totals; lists near matches if the search has no exact match. */
export async function listManagedCommunes(
  db: Database,
  query: CommunesAdminQuery,
  paging: Paging,
): Promise<ListSlice> {
  const exact = await listAndCount(db, query, paging, 'exact')
  return exact.byMask.length > 0 || !hasNear(query) ? exact : listAndCount(db, query, paging, 'near')
}

/** Adds up the communes that lack each. */
function countsByGap(byMask: Counted[]): Record<Gap, number> {
  const counts = gapNames.map((gap) => {
    const lacking = byMask.filter(({ mask }) => gapsOfMask(mask).includes(gap))
    return [gap, lacking.reduce((sum, { count }) => sum + count, 0)] as const
  })
  return Object.fromEntries(counts) as Record<Gap, number>
}

async function listAndCount(db: Database, query: CommunesAdminQuery, paging: Paging, precision: Precision) {
  const order = orderFor(query)
  const isChosen = chosen(query, precision)
  const masks = query.incomplete && masksWith(query.incomplete)
  const isAmong = allOf(masks !== undefined && sql`gaps in (${sql.join(masks)})`)
  const [slice, byMask] = await Promise.all([
    readSlice<CommuneRow & { mask: number }>(paging, order, async ({ after, limit, offset }) => {
      const { rows } = await sql<CommuneRow & { mask: number } & SliceRow>`
        select ${columnList(managedColumns)}, gaps as mask, ${order.values} as sort_values
        from communes join commune_gaps on commune_id = id
        where ${allOf(isChosen ?? false, isAmong, after)}
        order by ${order.by} limit ${limit} offset ${offset}`.execute(db)
      return rows
    }),
    countByMask(db, isChosen),
  ])
  const total = byMask.reduce(
    (sum, { mask, count }) => sum + (masks?.includes(mask) === false ? 0 : count),
    0,
  )
  const rows = slice.rows.map(({ mask, ...row }) => ({ ...row, gaps: gapsOfMask(mask) }))
  return { ...slice, rows, ...(query.q === undefined ? { total } : totalOfSearch(total)), byMask }
}

/** Counts the communes that the other filters leave; without filters, in the index of gaps alone. */
async function countByMask(db: Database, isChosen: RawBuilder<boolean> | null): Promise<Counted[]> {
  const { rows } = await sql<Counted>`
    select gaps as mask, count(*) as count
    from ${isChosen ? sql`communes join commune_gaps on commune_id = id where ${isChosen}` : sql`commune_gaps`}
    group by gaps`.execute(db)
  return rows
}

/** Returns the conditions of all filters but `incomplete`; null without any. */
function chosen(
  { ids, mairie, ...asked }: CommunesAdminQuery,
  precision: Precision,
): RawBuilder<boolean> | null {
  const conditions = [
    ...conditionsOf(asked, precision),
    among('id')(ids),
    flag(sql`(mairie_actor_id is not null)`)(mairie),
  ].filter((condition) => condition !== false)
  return conditions.length === 0 ? null : allOf(...conditions)
}

/** Sorts communes without a population last in both directions. */
const sorts: Record<string, SortKey[]> = {
  nom: [{ by: sql`sort_name`, type: 'text' }, byId],
  population: [{ by: sql`population`, type: 'number', isNullable: true }, byId],
  code_insee: [{ by: sql`code_insee`, type: 'text' }],
}

/** Returns the requested order; by default a search sorts by relevance to its words. */
function orderFor({ sort, ...asked }: CommunesAdminQuery): SortOrder {
  if (sort !== undefined) return orderOf({ name: 'communes', sorts }, sort)
  return sortOrder(`communes ${asked.q ?? ''}`, defaultKeys(asked), { isIndexed: false })
}
