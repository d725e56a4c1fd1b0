import Type from 'typebox'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { clearSome } from './queries.ts'

/** Deletes the runs and links of a deleted source. */
export const clearAway = defineJob('imports.clear-away', Type.Object({ sourceId: Type.String() }))

const atOnce = 1_000

export function clearAwayHandler({ db }: Pick<Deps, 'db'>): Handler {
  return handle(clearAway, async ({ sourceId }, { signal }) => {
    do signal.throwIfAborted()
    while (await clearSome(db, sourceId, atOnce))
  })
}
