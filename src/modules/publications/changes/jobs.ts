import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { deleteOldChanges } from './queries.ts'

const prune = defineJob('publications.delete-old-changes', Type.Object({}))
const batch = 10_000

export function deleteOldChangesHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handle(prune, async (_payload, { signal }) => {
    let deleted = 0
    for (let count = batch; count === batch; deleted += count) {
      signal.throwIfAborted()
      count = await deleteOldChanges(db, batch)
    }
    if (deleted > 0) log.info({ deleted }, 'old publication changes deleted')
  })
}

export const deleteOldChangesSchedule: Schedule = schedule(prune, '50 3 * * *', {})
