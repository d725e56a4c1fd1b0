import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { inBatches } from '../../platform/jobs/sweeps.ts'
import type { Deps } from '../../platform/module.ts'
import { deleteOldLinks } from './queries.ts'

const deleteOld = defineJob('exports.delete-old', Type.Object({}))

/** Deletes links that nobody used: their filters may contain names of people. */
export function deleteOldHandler({ db }: Pick<Deps, 'db'>): Handler {
  return handle(deleteOld, (_payload, { signal }) =>
    inBatches(500, signal, (batch) => deleteOldLinks(db, batch)),
  )
}

export const deleteOldSchedule: Schedule = schedule(deleteOld, '45 * * * *', {})
