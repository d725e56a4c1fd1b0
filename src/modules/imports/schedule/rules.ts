import { enqueueLost } from '../../../platform/jobs/rows.ts'
import type { Deps } from '../../../platform/module.ts'
import { interrupted } from '../run/queries.ts'
import { queueRun, runImport } from '../run/queue.ts'
import { nextDue } from '../sources/cron.ts'
import { endLostDryRuns, findDue, listSilentRuns, setDue } from './queries.ts'

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
