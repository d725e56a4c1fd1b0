import Type from 'typebox'
import { operator, type SignedIn } from '../../../platform/access/caller.ts'
import { defineJob, type Handler, handle } from '../../../platform/jobs/job.ts'
import type { Deps } from '../../../platform/module.ts'
import { decideImported } from '../../publications/importing/rules.ts'
import { listWithdrawn } from './queries.ts'

const text = Type.Union([Type.String(), Type.Null()])

export const withdraw = defineJob(
  'imports.withdraw',
  Type.Object({
    sourceId: Type.String(),
    since: text,
    until: Type.String(),
    reason: text,
    userId: Type.String(),
    requestId: text,
  }),
)

/** The size of one bulk decision. Each batch commits separately, so that other work can run in between. */
const batch = 100

/** Rejects the publications of a source on behalf of the administrator. A retry continues with the rest. */
export function withdrawHandler({ db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>): Handler {
  return handle(withdraw, async ({ reason, userId, requestId, ...withdrawn }, { signal }) => {
    const caller: SignedIn = { ...operator, user: { id: userId, roles: [], memberships: [] }, requestId }
    let publications = 0
    for (let after = ''; ; ) {
      signal.throwIfAborted()
      const rows = await listWithdrawn(db, withdrawn, after, batch)
      const last = rows.at(-1)
      if (last === undefined) break
      const ids = rows.map(({ id }) => id)
      publications += await decideImported({ db, jobs }, caller, {
        ids,
        moderation_status: 'rejected',
        reason,
      })
      after = last.external_id
    }
    log.info(
      { import_source_id: withdrawn.sourceId, publications },
      'publications of an import source withdrawn',
    )
  })
}
