import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import { inBatches } from '../../../platform/jobs/sweeps.ts'
import type { Deps } from '../../../platform/module.ts'
import { deleteOldChanges } from './queries.ts'

const prune = defineJob('publications.delete-old-changes', Type.Object({}))

export function deleteOldChangesHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handle(prune, async (_payload, { signal }) => {
    const deleted = await inBatches(10_000, signal, (batch) => deleteOldChanges(db, batch))
    if (deleted > 0) log.info({ deleted }, 'old publication changes deleted')
  })
}

export const deleteOldChangesSchedule: Schedule = schedule(prune, '50 3 * * *', {})
