import { type RawBuilder, sql } from 'kysely'
import { columnList } from '../../../platform/database/columns.ts'
import { allOf, among } from '../../../platform/database/conditions.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { Paging } from '../../../platform/http/paging.ts'
import { conditionsOf, usualOrder } from '../search.ts'
import { type CommunesAdminQuery, ManagedCommune } from './schema.ts'

export async function listManagedCommunes(
  db: Database,
  query: CommunesAdminQuery,
  { limit, offset }: Paging,
): Promise<ManagedCommune[]> {
  const order = query.sort === undefined ? usualOrder(query) : orders[query.sort]
  const { rows } = await sql<ManagedCommune>`
    select ${columnList(ManagedCommune.properties)} from communes where ${chosen(query)}
    order by ${order} limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countManagedCommunes(db: Database, query: CommunesAdminQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from communes where ${chosen(query)}`.execute(db)
  return rows[0]?.total ?? 0
}

function chosen({ ids, mairie, ...asked }: CommunesAdminQuery): RawBuilder<boolean> {
  const both = new Set(mairie).size === 2
  return allOf(
    ...conditionsOf(asked),
    among('id', ids),
    !both && mairie?.[0] === true && sql`mairie_actor_id is not null`,
    !both && mairie?.[0] === false && sql`mairie_actor_id is null`,
  )
}

/** What has no population comes last either way. */
const orders: Record<NonNullable<CommunesAdminQuery['sort']>, RawBuilder<unknown>> = {
  nom_desc: sql`sort_name desc, id desc`,
  nom_asc: sql`sort_name, id`,
  population_desc: sql`population desc nulls last, id desc`,
  population_asc: sql`population, id`,
  code_insee_desc: sql`code_insee desc`,
  code_insee_asc: sql`code_insee`,
}
