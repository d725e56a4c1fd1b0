import { sql } from 'kysely'
import { among, flag } from '../../../platform/database/conditions.ts'
import { byId, type SortKey } from '../../../platform/database/sort-order.ts'
import type { List } from '../../../platform/http/listing/list.ts'
import { isFoundBy, isOfCode, isOfCommune, type Level, type ManagedRow, managedColumns } from '../queries.ts'
import type { ManagedQuery } from './schema.ts'

const levelOf = (communeId: string | null): Level => (communeId === null ? 'france' : 'commune')

/** The filters of the lists, and of the map. */
export const filtersOf = (level: Level): List<ManagedQuery, unknown>['filters'] => ({
  ids: among('id'),
  q: (q) => isFoundBy(q),
  code_insee: isOfCode,
  statut_admin: among(`statut_admin_${level}`),
  etat_fonctionnement: among('etat_fonctionnement'),
  absent: flag(sql`(absent_depuis is not null)`),
})

const byName: SortKey[] = [{ by: sql`sort_name`, type: 'text' }, byId]

/**
 * The devices of one commune with the communal status, or all with the national one. Those without a commune name or an
 * update date sort last in both directions.
 */
export const managedList = (communeId: string | null): List<ManagedQuery, ManagedRow> => ({
  name: 'defibrillateurs',
  from: sql`defibrillateurs`,
  as: 'defibrillateurs',
  where: communeId === null ? sql`true` : isOfCommune(communeId),
  filters: filtersOf(levelOf(communeId)),
  sorts: {
    nom: byName,
    commune_nom: [{ by: sql`sort_commune`, type: 'text', isNullable: true }, ...byName],
    mis_a_jour_le: [{ by: sql`mis_a_jour_le`, type: 'time', isNullable: true }, byId],
  },
  defaults: { sort: 'nom_asc' },
  columns: managedColumns(levelOf(communeId)),
})
