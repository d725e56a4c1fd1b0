import Type from 'typebox'
import { operator, type SignedIn } from '../../../platform/access/caller.ts'
import { oneOf } from '../../../platform/http/validation/schemas.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { decideImported } from '../../publications/importing/rules.ts'
import { heldDecisions } from '../schema.ts'
import { listHeld } from './queries.ts'

const text = Type.Union([Type.String(), Type.Null()])

export const decideHeldJob = defineJob(
  'imports.decide-held',
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

const batch = 100

/** Decides the held publications of a run on behalf of a colleague. A retry continues with the rest. */
export function decideHeldHandler({ db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>): Handler {
  return handle(decideHeldJob, async ({ decision, reason, userId, requestId, ...ofRun }, { signal }) => {
    const caller: SignedIn = { ...operator, user: { id: userId, roles: [], memberships: [] }, requestId }
    const moderation_status = decision === 'accepted' ? 'published' : 'rejected'
    let publications = 0
    for (let after = ''; ; ) {
      signal.throwIfAborted()
      const rows = await listHeld(db, ofRun, after, batch)
      const last = rows.at(-1)
      if (last === undefined) break
      const ids = rows.map(({ id }) => id)
      publications += await decideImported({ db, jobs }, caller, { ids, moderation_status, reason })
      after = last.external_id
    }
    log.info(
      { import_source_id: ofRun.sourceId, decision, publications },
      'held publications of an import decided',
    )
  })
}
