import type { Caller } from '../../../platform/access/caller.ts'
import { change } from '../../../platform/change.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { conflict } from '../../../platform/errors.ts'
import type { Deps } from '../../../platform/module.ts'
import { applyEventJob } from '../effects/jobs.ts'
import { paymentEvent } from '../record.ts'
import { getEvent } from './queries.ts'
import { eventActions, type RecordedEvent } from './schema.ts'

/**
 * Applies a failed event again: failed → received, with a job of its own. An event that is already queued stays
 * as it is, so that a second replay succeeds without effect.
 *
 * The job has no key shared with others: the job of the failed attempt may still be ending, and would suppress
 * it. Two jobs of an event are harmless, because each applies it only while it is `received`.
 */
export function replayFailedEvent(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: Caller,
  id: string,
): Promise<RecordedEvent> {
  const read = (tx: Database) => getEvent(tx, id)
  return change(db, caller, paymentEvent, { id, action: 'payment_event.replay', read }, async (tx, event) => {
    if (event.status === 'received') return {}
    if (!eventActions.replay(event)) throw conflict()
    await jobs.enqueue(tx, applyEventJob, { eventId: event.id })
    return { status: 'received' as const, ended_at: null, error: null, tries: 0 }
  })
}
