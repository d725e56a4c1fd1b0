import { type Insertable, sql } from 'kysely'
import { columnList, columnsOf } from '../../platform/database/columns.ts'
import type { Database } from '../../platform/database/connect.ts'
import type * as tables from '../../platform/database/types.generated.ts'
import type { Paging } from '../../platform/http/paging.ts'
import { Alerte } from './schema.ts'

export type AlerteRow = Alerte & { created_by: string | null }
/** Whose alerts: a commune's, or a mairie's. */
export type Owner = { commune_id: string } | { acteur_id: string }

export async function listAlertes(db: Database, owner: Owner, { limit, offset }: Paging): Promise<Alerte[]> {
  const { rows } = await sql<Alerte>`
    select ${columnList(Alerte.properties)} from alertes where ${of(owner)}
    order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countAlertes(db: Database, owner: Owner): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from alertes where ${of(owner)}`.execute(db)
  return rows[0]?.total ?? 0
}

const of = (owner: Owner) =>
  'commune_id' in owner ? sql`commune_id = ${owner.commune_id}` : sql`acteur_id = ${owner.acteur_id}`

export async function insertAlerte(db: Database, values: Insertable<tables.Alertes>): Promise<AlerteRow> {
  return db
    .insertInto('alertes')
    .values(values)
    .returning([...columnsOf(Alerte.properties), 'created_by'])
    .$castTo<AlerteRow>()
    .executeTakeFirstOrThrow()
}
