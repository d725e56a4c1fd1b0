import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { ActeurRow } from '../queries.ts'

/** The fields that decisions read and write. */
export type Decided = Pick<ActeurRow, 'valide' | 'active' | 'can_publish' | 'badge'>
export type DecidedRow = Decided & Pick<ActeurRow, 'id' | 'version' | 'deleted_at'>

/** Locks acteurs by id, so that two concurrent calls wait for each other instead of deadlocking. */
export async function listForUpdate(tx: Database, ids: string[]): Promise<DecidedRow[]> {
  const { rows } = await sql<DecidedRow>`
    select id, version, valide, active, can_publish, badge, deleted_at
    from acteurs where id = any(${ids}::uuid[]) and merged_into is null
    order by id for no key update`.execute(tx)
  return rows
}

/** Updates the decided fields of all these acteurs in one statement. */
export async function updateDecided(tx: Database, rows: DecidedRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update acteurs a set valide = d.valide, active = d.active, can_publish = d.can_publish, badge = d.badge
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d (
      id uuid, valide boolean, active boolean, can_publish boolean, badge text)
    where a.id = d.id`.execute(tx)
}
