import type { Database } from '../database/connect.ts'
import { type Handler, handle, type Job, type JobAttempt } from './job.ts'
import type { Jobs } from './jobs.ts'

type RowWork<Payload, Row> = {
  /** Begins an attempt, which ends earlier ones; null if the row has ended. Absent if the work itself claims the row. */
  claim?(payload: Payload): Promise<Row | null>
  /** Makes one attempt, and ends the row. */
  attempt(row: Row, context: JobAttempt): Promise<unknown>
  /** True for an error that no retry can fix. */
  isFault?(error: unknown): boolean
  /** Records an attempt that failed and is retried. */
  noteFailure?(row: Row, error: unknown): Promise<unknown>
  /** Ends the row as failed. Throws the error if the job is to stay as a dead letter. */
  giveUp(row: Row, error: unknown): Promise<unknown>
}

/**
 * Handles a job that works on a row, which stores its own state:
 *
 *   waiting → claimed → ended
 *                     → claimed again by a retry, after an error or the death of a worker
 *                     → given up, after a fault or the last attempt → waiting again, when a person asks for it
 *                                                                     → settled, when nothing is to be done about it
 *
 * An attempt aborted by its timeout, a shutdown or another worker does not give up. Rows whose job was lost are found by a
 * sweep, which calls `enqueueLost`. A settled row keeps its state, and has the time at which a person settled it; the audit
 * log has who and why. Counts and notices leave it out.
 */
export function handleRow<Payload, Row = Payload>(
  job: Job<Payload>,
  { claim, attempt, isFault, noteFailure, giveUp }: RowWork<Payload, Row>,
): Handler {
  return handle(job, async (payload, context) => {
    const row = claim === undefined ? (payload as unknown as Row) : await claim(payload)
    if (row === null) return
    try {
      await attempt(row, context)
    } catch (error) {
      if (isFault?.(error) || (context.isLast && !context.signal.aborted)) await giveUp(row, error)
      else {
        if (!context.signal.aborted) await noteFailure?.(row, error)
        throw error
      }
    }
  })
}

/**
 * Enqueues the job of rows that should have ended by now: it was lost, for example by a restore, or is still being retried.
 * A queued or running job with the same key suppresses the new one.
 */
export async function enqueueLost<Payload>(
  { db, jobs }: { db: Database; jobs: Pick<Jobs, 'enqueue'> },
  job: Job<Payload>,
  ids: string[],
  payloadOf: (id: string) => Payload,
): Promise<void> {
  for (const id of ids) await jobs.enqueue(db, job, payloadOf(id), { singletonKey: id })
}
