import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { lapseRights } from './rules.ts'

const lapse = defineJob('users.lapse-rights', Type.Object({}))

export function lapseHandler({ db, log }: Pick<Deps, 'db' | 'log'>): Handler {
  return handle(lapse, async (_payload, { signal }) => {
    const lapsed = await lapseRights(db, signal)
    if (lapsed > 0) log.info({ lapsed }, 'unclaimed permissions expired')
  })
}

export const lapseSchedule: Schedule = schedule(lapse, '40 4 * * *', {})
