import { type RawBuilder, sql } from 'kysely'
import { allOf, among } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { isFoundBy, isOfCode, isOfCommune, type Level, type ManagedRow, managedColumns } from '../queries.ts'
import type { ManagedQuery } from './schema.ts'

/** Lists the devices of one commune with the communal status, or all with the national one. */
export async function listManaged(
  db: Database,
  communeId: string | null,
  query: ManagedQuery,
  { limit, offset }: Paging,
): Promise<ManagedRow[]> {
  const { rows } = await sql<ManagedRow>`
    select ${managedColumns(levelOf(communeId))} from defibrillateurs where ${matching(communeId, query)}
    order by ${orders[query.sort ?? 'nom_asc']} limit ${limit} offset ${offset}`.execute(db)
  return rows
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

function matching(communeId: string | null, query: ManagedQuery): RawBuilder<boolean> {
  const { ids, q, code_insee, statut_admin, etat_fonctionnement, absent } = query
  const both = new Set(absent).size === 2
  return allOf(
    communeId !== null && isOfCommune(communeId),
    among('id', ids),
    q !== undefined && isFoundBy(q),
    code_insee !== undefined && isOfCode(code_insee),
    among(`statut_admin_${levelOf(communeId)}`, statut_admin),
    among('etat_fonctionnement', etat_fonctionnement),
    !both && absent?.[0] === true && sql`absent_depuis is not null`,
    !both && absent?.[0] === false && sql`absent_depuis is null`,
  )
}

/** Devices without a registry date come last when the newest come first, and first otherwise. */
const orders: Record<NonNullable<ManagedQuery['sort']>, RawBuilder<unknown>> = {
  nom_asc: sql`sort_name, id`,
  nom_desc: sql`sort_name desc, id desc`,
  commune_nom_asc: sql`sort_commune, sort_name, id`,
  commune_nom_desc: sql`sort_commune desc, sort_name desc, id desc`,
  mis_a_jour_le_desc: sql`mis_a_jour_le desc nulls last, id desc`,
  mis_a_jour_le_asc: sql`mis_a_jour_le nulls first, id`,
}
