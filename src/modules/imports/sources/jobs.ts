import Type from 'typebox'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { deleteBatch } from './queries.ts'

/** Deletes the runs and links of a deleted source. */
export const deleteHistory = defineJob('imports.clear-away', Type.Object({ sourceId: Type.String() }))

const atOnce = 1_000

export function deleteHistoryHandler({ db }: Pick<Deps, 'db'>): Handler {
  return handle(deleteHistory, async ({ sourceId }, { signal }) => {
    do signal.throwIfAborted()
    while (await deleteBatch(db, sourceId, atOnce))
  })
}
