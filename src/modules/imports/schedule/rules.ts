import type { Deps } from '../../../platform/module.ts'
import { interrupted } from '../run/queries.ts'
import { queueRun, runImport } from '../run/queue.ts'
import { nextDue } from '../sources/cron.ts'
import { endLostDryRuns, findDue, listSilentRuns, setDue } from './queries.ts'

type Tools = Pick<Deps, 'db' | 'jobs'>

/**
 * Asks for a run of each source that is due, one transaction each: of two instances that look at once, one does. A source
 * that is still being run skips this turn, and times that passed while nobody looked count as one.
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

/** Runs whose process is gone for good: a real one is done again, where no job for it is there any more. */
export async function reviveRuns({ db, jobs }: Tools): Promise<void> {
  await endLostDryRuns(db, interrupted)
  for (const runId of await listSilentRuns(db))
    await jobs.enqueue(db, runImport, { runId }, { singletonKey: runId })
}
