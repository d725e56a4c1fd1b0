import pg from 'pg'
import Type from 'typebox'
import { defineJob, type Handler, handle, type JobContext } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { countEvent } from '../metrics.ts'
import { endEvent, noteTry } from './queries.ts'
import { applyEvent, EventFault } from './rules.ts'

/** Tried nine times within an hour or so. One that has to wait holds up no other. */
export const applyEventJob = defineJob('payments.apply-event', Type.Object({ eventId: Type.String() }), {
  retries: 8,
  backoffSeconds: 15,
  maxBackoffSeconds: 3_600,
  timeoutSeconds: 60,
  concurrency: 2,
})

/**
 * received → processed, or → failed: at once where the event itself is at fault, else after the last try. A try that
 * nobody could note, since the database was away, is made again with those that were forgotten (failures/jobs.ts).
 */
export function applyEventHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handle(applyEventJob, async ({ eventId }, context) => {
    context.signal.throwIfAborted()
    try {
      if (await applyEvent(db, eventId)) countEvent('processed')
    } catch (error) {
      const why = reasonOf(error)
      if (!(error instanceof EventFault) && !isLastTry(context)) {
        await noteTry(db, eventId, why)
        throw error
      }
      await endEvent(db, eventId, 'failed', why)
      countEvent('failed')
      log.error({ event_id: eventId, reason: why }, 'an event of the payment provider has failed')
    }
  })
}

const isLastTry = ({ attempt }: JobContext) => attempt > applyEventJob.settings.retries

/** For a person to read, and no more of an error of the database than its code: the rest may quote values. */
function reasonOf(error: unknown): string {
  if (error instanceof EventFault) return error.message
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof pg.DatabaseError)
    return `the database refused (${cause.code}, ${cause.constraint ?? cause.routine})`
  return cause instanceof Error ? cause.name : 'unknown'
}
