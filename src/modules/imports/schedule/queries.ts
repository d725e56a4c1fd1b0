import { sql } from 'kysely'
import type { Database } from '../../../platform/database/connect.ts'

/** Locks and returns the source that has been due longest; skips locked ones. */
export async function findDue(
  tx: Database,
  now: Date,
): Promise<{ id: string; cron: string; is_busy: boolean } | undefined> {
  const { rows } = await sql<{ id: string; cron: string; is_busy: boolean }>`
    select id, cron, exists (
      select from import_runs r where r.source_id = s.id and r.status in ('queued', 'running')) as is_busy
    from import_sources s where next_run_at <= ${now}
    order by next_run_at limit 1 for no key update skip locked`.execute(tx)
  return rows[0]
}

export async function setDue(tx: Database, id: string, next: Date): Promise<void> {
  await sql`update import_sources set next_run_at = ${next} where id = ${id}`.execute(tx)
}

/** Lists requested runs without recent progress: their job may be lost. */
export async function listSilentRuns(db: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from import_runs
    where status in ('queued', 'running') and not dry_run and alive_at < now() - interval '15 minutes'
    order by alive_at limit 100`.execute(db)
  return rows.map(({ id }) => id)
}

/** Ends dry runs without recent progress: they run within a request, so their process has died. */
export async function endLostDryRuns(db: Database, error: string): Promise<void> {
  await sql`
    update import_runs set status = 'failed', error = ${error}, finished_at = greatest(now(), started_at)
    where status in ('queued', 'running') and dry_run and alive_at < now() - interval '5 minutes'`.execute(db)
}
