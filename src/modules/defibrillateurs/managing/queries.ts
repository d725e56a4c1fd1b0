import { type RawBuilder, sql } from 'kysely'
import { allOf, among } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { byId, type SortKey, sortOrders } from '../../../platform/database/sort-order.ts'
import { type Placed, readSlice, type Slice } from '../../../platform/http/listing/slice.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { isFoundBy, isOfCode, isOfCommune, type Level, type ManagedRow, managedColumns } from '../queries.ts'
import type { ManagedQuery } from './schema.ts'

/** Lists the devices of one commune with the communal status, or all with the national one. */
export function listManaged(
  db: Database,
  communeId: string | null,
  query: ManagedQuery,
  paging: Paging,
): Promise<Slice<ManagedRow>> {
  const order = orders[query.sort ?? 'nom_asc']
  return readSlice<ManagedRow>(paging, order, async ({ after, limit, offset }) => {
    const { rows } = await sql<ManagedRow & Placed>`
      select ${managedColumns(levelOf(communeId))}, ${order.values} from defibrillateurs
      where ${allOf(matching(communeId, query), after)}
      order by ${order.by} limit ${limit} offset ${offset}`.execute(db)
    return rows
  })
}

export async function countManaged(
  db: Database,
  communeId: string | null,
  query: ManagedQuery,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from defibrillateurs where ${matching(communeId, query)}`.execute(db)
  return rows[0]?.total ?? 0
}

const levelOf = (communeId: string | null): Level => (communeId === null ? 'france' : 'commune')

type Filters = Pick<
  ManagedQuery,
  'ids' | 'q' | 'code_insee' | 'statut_admin' | 'etat_fonctionnement' | 'absent'
>

/** The filters of the lists, and of the map. */
export function matching(communeId: string | null, query: Filters): RawBuilder<boolean> {
  const { ids, q, code_insee, statut_admin, etat_fonctionnement, absent } = query
  return allOf(
    communeId !== null && isOfCommune(communeId),
    among('id', ids),
    q !== undefined && isFoundBy(q),
    code_insee !== undefined && isOfCode(code_insee),
    among(`statut_admin_${levelOf(communeId)}`, statut_admin),
    among('etat_fonctionnement', etat_fonctionnement),
    oneAbsence(absent, sql`(absent_depuis is not null)`),
  )
}

/** Filters by whether the registry has lost a device; with both values it does not filter. */
export function oneAbsence(absent: readonly boolean[] | undefined, isAbsent: RawBuilder<unknown>) {
  if (absent === undefined || new Set(absent).size === 2) return false
  return absent[0] ? sql<boolean>`${isAbsent}` : sql<boolean>`not ${isAbsent}`
}

const byName: SortKey[] = [{ by: sql`sort_name`, type: 'text' }, byId]

/** Sorts devices without a commune name or an update date last in both directions. */
const orders = sortOrders('defibrillateurs', {
  nom: byName,
  commune_nom: [{ by: sql`sort_commune`, type: 'text', isNullable: true }, ...byName],
  mis_a_jour_le: [{ by: sql`mis_a_jour_le`, type: 'time', isNullable: true }, byId],
})
