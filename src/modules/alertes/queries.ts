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

/** What the public is told now: the commune's own, and those of its mairie unless that is deleted or inactive. */
export async function listAlertesInForce(
  db: Database,
  communeId: string,
  now: Date,
  { limit, offset }: Paging,
): Promise<Alerte[]> {
  const { rows } = await sql<Alerte>`
    select ${columnList(Alerte.properties)} from alertes where ${inForce(communeId, now)}
    order by created_at desc, id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countAlertesInForce(db: Database, communeId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from alertes where ${inForce(communeId, now)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** The end is written as the indexes have it. */
const inForce = (communeId: string, now: Date) => sql`(
    commune_id = ${communeId} or acteur_id = (
      select a.id from communes c join acteurs a on a.id = c.mairie_actor_id
      where c.id = ${communeId} and a.active and a.deleted_at is null))
    and coalesce(fin, 'infinity') > ${now} and (debut is null or debut <= ${now})`

export async function insertAlerte(db: Database, values: Insertable<tables.Alertes>): Promise<AlerteRow> {
  return db
    .insertInto('alertes')
    .values(values)
    .returning([...columnsOf(Alerte.properties), 'created_by'])
    .$castTo<AlerteRow>()
    .executeTakeFirstOrThrow()
}
