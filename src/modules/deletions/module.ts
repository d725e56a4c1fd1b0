import { sql } from 'kysely'
import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../platform/jobs/job.ts'
import { deletionOf, inBatches } from '../../platform/jobs/sweeps.ts'
import type { Deps, Module } from '../../platform/module.ts'
import { isRecent } from './deleted.ts'

const sweep = defineJob('deletions.erase-old', Type.Object({}))

const eraseOld = deletionOf('deleted_records', sql`not ${isRecent('deleted_at')}`, { oldest: 'deleted_at' })

/** Erases for good what can no longer be restored. */
export function sweepHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handle(sweep, async (_payload, { signal }) => {
    const erased = await inBatches(500, signal, (batch) => eraseOld(db, batch))
    if (erased > 0) log.info({ erased }, 'deleted records erased')
  })
}

const sweepSchedule: Schedule = schedule(sweep, '50 3 * * *', {})

export const deletions = {
  name: 'deletions',
  about: 'What was deleted of communes and mairies, for 30 days',
  jobs: { handlers: (deps) => [sweepHandler(deps)], schedules: [sweepSchedule] },
} satisfies Module
