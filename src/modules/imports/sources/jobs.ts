import Type from 'typebox'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { decidingJobs } from '../bulk-decisions.ts'
import { deleteBatch, hasUnfinishedJob } from './queries.ts'

/** Deletes the runs and links of a deleted source. */
export const deleteHistory = defineJob('imports.clear-away', Type.Object({ sourceId: Type.String() }))

const atOnce = 1_000
/** Pause until it is looked again whether the publications of the source are decided. */
const laterMs = 2_000

export function deleteHistoryHandler({ db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>): Handler {
  return handle(deleteHistory, async ({ sourceId }, { signal }) => {
    if (await hasUnfinishedJob(db, Object.values(decidingJobs), sourceId)) {
      const startAfter = new Date(clock().getTime() + laterMs)
      await jobs.enqueue(db, deleteHistory, { sourceId }, { startAfter })
      return
    }
    do signal.throwIfAborted()
    while (await deleteBatch(db, sourceId, atOnce))
  })
}
