import Type from 'typebox'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { decideSelected, decidingJobs } from '../bulk-decisions.ts'
import { imported } from './queries.ts'

const text = Type.Union([Type.String(), Type.Null()])

export const withdraw = defineJob(
  decidingJobs.withdraw,
  Type.Object({
    sourceId: Type.String(),
    since: text,
    until: Type.String(),
    reason: text,
    userId: Type.String(),
    requestId: text,
  }),
)

/** Rejects the publications of a source on behalf of the administrator. */
export function withdrawHandler({ db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>): Handler {
  return handle(withdraw, async ({ reason, userId, requestId, ...withdrawn }, { signal }) => {
    const by = { userId, requestId }
    const decision = { moderation_status: 'rejected', reason } as const
    const publications = await decideSelected({ db, jobs }, imported(withdrawn), by, decision, signal)
    log.info(
      { import_source_id: withdrawn.sourceId, publications },
      'publications of an import source withdrawn',
    )
  })
}
