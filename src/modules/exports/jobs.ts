import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import type { Deps } from '../../platform/module.ts'
import { deleteOldLinks } from './queries.ts'

const deleteOld = defineJob('exports.delete-old', Type.Object({}))
const batch = 500

/** Deletes links that nobody used: their filters may contain names of people. */
export function deleteOldHandler({ db }: Pick<Deps, 'db'>): Handler {
  return handle(deleteOld, async (_payload, { signal }) => {
    for (let deleted = batch; deleted === batch; ) {
      signal.throwIfAborted()
      deleted = await deleteOldLinks(db, batch)
    }
  })
}

export const deleteOldSchedule: Schedule = schedule(deleteOld, '45 * * * *', {})
