import Type from 'typebox'
import { defineJob, type Handler } from '../../../platform/jobs/job.ts'
import { handleRow } from '../../../platform/jobs/rows.ts'
import type { Deps } from '../../../platform/module.ts'
import { endSync } from './queries.ts'
import { runSync } from './run.ts'
import { SyncFailed } from './sync-failed.ts'

/**
 * The timeout exceeds that of any download. A dead worker is detected by its missing heartbeat, and another
 * worker starts over.
 */
export const syncJob = defineJob('defibrillateurs.sync', Type.Object({ syncId: Type.String() }), {
  retries: 3,
  backoffSeconds: 15,
  timeoutSeconds: 1_800,
  concurrency: 2,
})

const internal = new SyncFailed('Something went wrong on our side.', { code: 'internal' })

type Tools = Pick<Deps, 'db' | 'onOwnConnection' | 'config' | 'log'>

export function syncHandler(deps: Tools): Handler {
  return handleRow(syncJob, {
    attempt: ({ syncId }, { signal }) => runSync(deps, syncId, { signal }),
    async giveUp({ syncId }, error) {
      // Otherwise this sync would block the next one forever.
      await endSync(deps.db, syncId, { failed: internal, counts: {} })
      throw error
    },
  })
}
