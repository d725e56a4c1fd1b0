import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { inBatches } from '../../platform/jobs/sweeps.ts'
import type { Deps } from '../../platform/module.ts'
import { deleteOldPresence } from './queries.ts'

const sweep = defineJob('presence.delete-old', Type.Object({}))

/** Deletes who has looked at a record, soon after it counts no more. */
export function sweepHandler({ db }: Pick<Deps, 'db'>): Handler {
  return handle(sweep, async (_payload, { signal }) => {
    await inBatches(500, signal, (batch) => deleteOldPresence(db, batch))
  })
}

export const sweepSchedule: Schedule = schedule(sweep, '* * * * *', {})
