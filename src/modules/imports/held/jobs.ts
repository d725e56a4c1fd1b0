import Type from 'typebox'
import { oneOf } from '../../../platform/http/validation/schemas.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { decideSelected, decidingJobs } from '../bulk-decisions.ts'
import { heldDecisions } from '../schema.ts'
import { held } from './queries.ts'

const text = Type.Union([Type.String(), Type.Null()])

export const decideHeldJob = defineJob(
  decidingJobs.held,
  Type.Object({
    sourceId: Type.String(),
    since: Type.String(),
    until: Type.String(),
    decision: oneOf(heldDecisions),
    reason: text,
    userId: Type.String(),
    requestId: text,
  }),
)

/** Decides the held publications of a run on behalf of a colleague. */
export function decideHeldHandler({ db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>): Handler {
  return handle(decideHeldJob, async ({ decision, reason, userId, requestId, ...ofRun }, { signal }) => {
    const moderation_status = decision === 'accepted' ? 'published' : 'rejected'
    const by = { userId, requestId }
    const publications = await decideSelected(
      { db, jobs },
      held(ofRun),
      by,
      { moderation_status, reason },
      signal,
    )
    log.info(
      { import_source_id: ofRun.sourceId, decision, publications },
      'held publications of an import decided',
    )
  })
}
