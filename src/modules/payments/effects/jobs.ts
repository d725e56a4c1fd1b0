import pg from 'pg'
import Type from 'typebox'
import { defineJob, type Handler } from '../../../platform/jobs/job.ts'
import { handleRow } from '../../../platform/jobs/rows.ts'
import type { Deps } from '../../../platform/module.ts'
import { countEvent } from '../metrics.ts'
import { endEvent, recordAttempt } from './queries.ts'
import { applyEvent, EventFault } from './rules.ts'

/** Nine attempts within about an hour. A waiting event does not delay others. */
export const applyEventJob = defineJob('payments.apply-event', Type.Object({ eventId: Type.String() }), {
  retries: 8,
  backoffSeconds: 15,
  maxBackoffSeconds: 3_600,
  timeoutSeconds: 60,
  concurrency: 2,
})

/**
 * received → processed, or → failed: immediately if the event itself is faulty, else after the last attempt.
 * If the result of an attempt could not be stored, the sweep for forgotten events retries it
 * (failures/jobs.ts).
 */
export function applyEventHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handleRow(applyEventJob, {
    async attempt({ eventId }) {
      if (await applyEvent(db, eventId)) countEvent('processed')
    },
    isFault: (error) => error instanceof EventFault,
    noteFailure: ({ eventId }, error) => recordAttempt(db, eventId, reasonOf(error)),
    async giveUp({ eventId }, error) {
      const why = reasonOf(error)
      await endEvent(db, eventId, 'failed', why)
      countEvent('failed')
      log.error({ event_id: eventId, reason: why }, 'an event of the payment provider has failed')
    },
  })
}

/** Returns a readable reason. Of a database error, only its code, because the rest may quote values. */
function reasonOf(error: unknown): string {
  if (error instanceof EventFault) return error.message
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof pg.DatabaseError)
    return `the database refused (${cause.code}, ${cause.constraint ?? cause.routine})`
  return cause instanceof Error ? cause.name : 'unknown'
}
