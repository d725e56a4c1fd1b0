import { sql } from 'kysely'
import Type from 'typebox'
import { defineJob, type Handler, handle, type Schedule, schedule } from '../../../platform/jobs/job.ts'
import { enqueueLost } from '../../../platform/jobs/rows.ts'
import type { Deps } from '../../../platform/module.ts'
import { expandBroadcast } from './expand-job.ts'
import { enqueueSending } from './sending-jobs.ts'

const resume = defineJob('subscribers.resume-broadcasts', Type.Object({}))

/** Enqueues the jobs of broadcasts that are not over again: they may be lost, for example by a restore. */
export function resumeHandler({ db, jobs }: Deps): Handler {
  return handle(resume, async () => {
    const { rows } = await sql<{ id: string; status: string }>`
      select b.id, b.status from broadcasts b left join alertes al on al.id = b.alerte_id
      where b.status in ('expanding', 'sending') and b.created_at < now() - interval '5 minutes'
        and coalesce(al.debut, '-infinity') <= now()
      order by b.created_at limit 1000`.execute(db)
    const idsIn = (status: string) => rows.flatMap((row) => (row.status === status ? [row.id] : []))
    await enqueueLost({ db, jobs }, expandBroadcast, idsIn('expanding'), (broadcastId) => ({ broadcastId }))
    for (const id of idsIn('sending')) await enqueueSending({ jobs }, db, id)
  })
}

export const resumeSchedule: Schedule = schedule(resume, '*/5 * * * *', {})
