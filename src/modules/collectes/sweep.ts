import { sql } from 'kysely'
import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { deletionOf, inBatches } from '../../platform/jobs/sweeps.ts'
import type { Deps } from '../../platform/module.ts'

const sweep = defineJob('collectes.sweep-imports', Type.Object({}))

const deleteOld = deletionOf(
  'collecte_imports',
  sql`created_at < now() - interval '1 day' and (applied_at is null or applied_at < now() - interval '30 days')`,
  { oldest: 'created_at' },
)

/** Deletes checks that were not applied after a day, and the others once they can no longer be undone. */
export function sweepHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handle(sweep, async (_payload, { signal }) => {
    const deleted = await inBatches(20, signal, (batch) => deleteOld(db, batch))
    if (deleted > 0) log.info({ deleted }, 'imports of collections deleted')
  })
}

export const sweepSchedule: Schedule = schedule(sweep, '20 4 * * *', {})
