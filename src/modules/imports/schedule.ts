import { sql } from 'kysely'
import Type from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { enqueueLost } from '../../platform/jobs/rows.ts'
import type { Deps } from '../../platform/module.ts'
import { interrupted } from './run/queries.ts'
import { queueRun, runImport } from './run/queue.ts'
import { nextDue } from './sources/cron.ts'

type Tools = Pick<Deps, 'db' | 'jobs'>

/**
 * Enqueues a run of each due source, one transaction each; only one of several instances enqueues it. Skips a
 * source that is still running; several missed times count as one.
 */
export async function queueDue({ db, jobs }: Tools, now: Date, signal: AbortSignal): Promise<number> {
  for (let queued = 0; ; ) {
    signal.throwIfAborted()
    const due = await db.transaction().execute(async (tx) => {
      const source = await findDue(tx, now)
      if (source === undefined) return undefined
      await setDue(tx, source.id, nextDue(source.cron, now))
      if (!source.is_busy) await queueRun({ jobs }, tx, source.id)
      return source
    })
    if (due === undefined) return queued
    if (!due.is_busy) queued += 1
  }
}

/** Re-enqueues runs whose process died and whose job was lost. */
export async function reviveRuns({ db, jobs }: Tools): Promise<void> {
  await endLostDryRuns(db, interrupted)
  await enqueueLost({ db, jobs }, runImport, await listSilentRuns(db), (runId) => ({ runId }))
}

const tick = defineJob('imports.tick', Type.Object({}), { retries: 1, timeoutSeconds: 300 })

export function tickHandler({ db, jobs, log, clock }: Deps): Handler {
  return handle(tick, async (_payload, { signal }) => {
    await reviveRuns({ db, jobs })
    const queued = await queueDue({ db, jobs }, clock(), signal)
    if (queued > 0) log.info({ queued }, 'imports are due')
  })
}

/** Runs every minute, the shortest interval of a cron expression. */
export const tickSchedule: Schedule = schedule(tick, '* * * * *', {})

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

async function setDue(tx: Database, id: string, next: Date): Promise<void> {
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
async function endLostDryRuns(db: Database, error: string): Promise<void> {
  await sql`
    update import_runs set status = 'failed', error = ${error}, finished_at = greatest(now(), started_at)
    where status in ('queued', 'running') and dry_run and alive_at < now() - interval '5 minutes'`.execute(db)
}
