import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'

/** Locks publications in id order; this also blocks new reports, which lock them for key share. */
export async function lockAgainstReports(tx: Database, ids: string[]): Promise<void> {
  await sql`select from publications where id = any(${ids}::uuid[]) order by id for update`.execute(tx)
}

/**
 * Reopens closed reports, unless the reporter has a newer open one. Returns how many it reopened, by
 * publication. The publications must be locked against new reports.
 */
export async function reopenReports(tx: Database, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ publication_id: string; count: number }>`
    with reopened as (
      update publication_reports r set closed_at = null
      where r.id = any(${ids}::uuid[]) and r.closed_at is not null and not exists (
        select from publication_reports newer
        where newer.publication_id = r.publication_id and newer.caller_key = r.caller_key
          and newer.closed_at is null)
      returning r.publication_id)
    select publication_id, count(*)::int as count from reopened group by publication_id`.execute(tx)
  return new Map(rows.map(({ publication_id, count }) => [publication_id, count]))
}
