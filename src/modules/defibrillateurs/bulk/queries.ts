import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { ManagedRow } from '../queries.ts'

/** The national level of a device. */
export type StatutRow = Pick<ManagedRow, 'id' | 'version' | 'statut_admin' | 'note'>

/** Locks devices by id, so that two concurrent calls wait for each other instead of deadlocking. */
export async function listForUpdate(tx: Database, ids: string[]): Promise<StatutRow[]> {
  const { rows } = await sql<StatutRow>`
    select id, version, statut_admin_france as statut_admin, note_france as note
    from defibrillateurs where id = any(${ids}::uuid[]) order by id for no key update`.execute(tx)
  return rows
}

/** Writes the national level of all these devices in one statement. */
export async function updateStatuts(tx: Database, rows: StatutRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update defibrillateurs d set statut_admin_france = s.statut_admin, note_france = s.note
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (id uuid, statut_admin text, note text)
    where d.id = s.id`.execute(tx)
}
