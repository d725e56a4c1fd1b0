import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'
import type { ThreadRow } from '../queries.ts'

/** The fields that a bulk change reads and writes. */
export type State = Pick<ThreadRow, 'status' | 'unread' | 'flag' | 'assignee_id'>
export type StateRow = State & Pick<ThreadRow, 'id' | 'version'>

/** Locks threads by id, so that two concurrent calls wait for each other instead of deadlocking. */
export async function listForUpdate(tx: Database, ids: string[]): Promise<StateRow[]> {
  const { rows } = await sql<StateRow>`
    select id, version, status, unread, flag, assignee_id
    from support_threads where id = any(${ids}::uuid[]) order by id for no key update`.execute(tx)
  return rows
}

/** Updates the state of all these threads in one statement. */
export async function updateStates(tx: Database, rows: StateRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    update support_threads t set status = s.status, unread = s.unread, flag = s.flag, assignee_id = s.assignee_id,
      closed_at = case when s.status = 'closed' then coalesce(t.closed_at, now()) end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s (
      id uuid, status text, unread boolean, flag text, assignee_id uuid)
    where t.id = s.id`.execute(tx)
}
