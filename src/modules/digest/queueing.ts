import Type from 'typebox'
import type { Database } from '../../platform/database/connect.ts'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/module.ts'
import { todayInParis } from '../../platform/paris-time.ts'
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

/** Several times, for an instance that was down at half past seven: each digest is queued once a day. */
export const digestSchedule: Schedule = schedule(queue, '30 7-10 * * 1-5', {})

/**
 * The digest of one colleague and day:
 *
 *   due → queued, with its mail and job, in one transaction → sent; or dropped: nothing waits, or they are not to get it.
 *
 * The day is marked on the digest, and the mail is unique by user and day: jobs that run twice, or in two instances, queue
 * it once. The mail has the states of all mails of rows, so a crash while it is handed over does not repeat it.
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
  for (let count = 0; ; ) {
    signal.throwIfAborted()
    const taken = await db.transaction().execute(async (tx: Database) => {
      const users = await takeDue(tx, day, batch)
      for (const mailId of await insertMails(tx, day, users)) await jobs.enqueue(tx, sendDigest, { mailId })
      return users.length
    })
    count += taken
    if (taken < batch) return count
  }
}
