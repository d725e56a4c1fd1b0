import Type from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { inBatches } from '../../platform/jobs/sweeps.ts'
import type { Deps } from '../../platform/module.ts'
import { todayInParis } from '../../platform/time/paris-time.ts'
import { deleteOldMails, insertMails, takeDue } from './queries.ts'
import { isWorkingDay } from './rules.ts'
import { sendDigest } from './sending.ts'

const queue = defineJob('digest.queue', Type.Object({}))

export function queueHandler(deps: Pick<Deps, 'db' | 'jobs' | 'clock' | 'log'>): Handler {
  return handle(queue, async (_payload, { signal }) => {
    const queued = await queueDigests(deps, deps.clock(), signal)
    if (queued > 0) deps.log.info({ queued }, 'digests queued')
  })
}

/** Runs several times in case the service was down at 7:30; each digest is enqueued at most once a day. */
export const digestSchedule: Schedule = schedule(queue, '30 7-10 * * 1-5', {})

/**
 * Enqueues the digests of a day. States of the digest of one colleague and day:
 *
 *   due → queued, with its mail and job, in one transaction
 *       → sent, or deleted: nothing waits, or the colleague should no longer get it
 *
 * The digest stores the day, and the mail is unique by user and day, so repeated or concurrent jobs enqueue
 * it once. The mail has the states of all row mails, so a crash during the handover does not send it twice.
 */
export async function queueDigests(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  now: Date,
  signal: AbortSignal,
  batch = 100,
): Promise<number> {
  const day = todayInParis(now)
  if (!isWorkingDay(day)) return 0
  await deleteOldMails(db, day)
  return inBatches(batch, signal, () =>
    db.transaction().execute(async (tx: Database) => {
      const users = await takeDue(tx, day, batch)
      for (const mailId of await insertMails(tx, day, users)) await jobs.enqueue(tx, sendDigest, { mailId })
      return users.length
    }),
  )
}
