import Type, { type Static } from 'typebox'
import type { SignedIn } from '../../../platform/access/caller.ts'
import { change, type RecordKind } from '../../../platform/change.ts'
import { conflict } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import {
  Id,
  noBody,
  nullable,
  record,
  strictObject,
  text,
  titled,
} from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ByRunId } from '../all-runs.ts'
import { countSelected } from '../bulk-decisions.ts'
import { importRun } from '../record.ts'
import { type HeldDecision, runActions } from '../schema.ts'
import { decideHeldJob } from './jobs.ts'
import { getRunForUpdate, type HeldRun, held, updateRun } from './queries.ts'

const HeldRefusal = strictObject(
  {
    reason: Type.Optional(
      nullable(
        text(1_000, { description: 'Kept as the moderation reason of each', examples: ['Flux piraté'] }),
      ),
    ),
  },
  { examples: [{ reason: 'Flux piraté' }] },
)

const HeldDecided = titled('ImportHeldDecided', {
  id: Id('Identifier of the run'),
  publications: Type.Integer({ description: 'How many are decided', examples: [312] }),
})
type HeldDecided = Static<typeof HeldDecided>

export function heldRoutes(scope: SignedInScope, { db, jobs, clock }: Deps): void {
  scope.post(
    '/admin/import-runs/:id/accept',
    {
      config: { audits: 'import_run.accept', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'acceptImportRun',
        summary: 'Publish what a run held back because it was unusually large, in the background',
        params: ByRunId,
        body: noBody,
        response: { 202: record(HeldDecided) },
      },
    },
    async ({ params, caller }, reply) => {
      const decided = { decision: 'accepted', reason: null } as const
      return reply
        .code(202)
        .send({ data: await decideHeld({ db, jobs }, caller, params.id, decided, clock()) })
    },
  )

  scope.post(
    '/admin/import-runs/:id/refuse',
    {
      config: { audits: 'import_run.refuse', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'refuseImportRun',
        summary: 'Reject what a run held back because it was unusually large, in the background',
        params: ByRunId,
        body: HeldRefusal,
        response: { 202: record(HeldDecided) },
      },
    },
    async ({ params, body: { reason = null }, caller }, reply) => {
      const decided = { decision: 'refused', reason } as const
      return reply
        .code(202)
        .send({ data: await decideHeld({ db, jobs }, caller, params.id, decided, clock()) })
    },
  )
}

const heldRun = {
  ...importRun,
  lock: getRunForUpdate,
  write: (tx, { id }, values) => updateRun(tx, id, values),
  auditedValues: ({ held_decision }) => ({ held_decision }),
} satisfies RecordKind<HeldRun>

type Decided = { decision: HeldDecision; reason: string | null }

/** Decides once about all publications that a run held back, in the background; then 409. */
async function decideHeld(
  { db, jobs }: Pick<Deps, 'db' | 'jobs'>,
  caller: SignedIn,
  id: string,
  { decision, reason }: Decided,
  now: Date,
): Promise<HeldDecided> {
  let publications = 0
  const action = decision === 'accepted' ? 'import_run.accept' : 'import_run.refuse'
  const wanted = { id, action, read: async () => ({ id, publications }) }
  return change(db, caller, heldRun, wanted, async (tx, run, note) => {
    if (!runActions.accept(run) || run.finished_at === null) throw conflict()
    // The end of a run is cut to the millisecond, and the times of its publications are rounded.
    const until = new Date(run.finished_at.getTime() + 1).toISOString()
    const ofRun = { sourceId: run.source_id, since: run.started_at.toISOString(), until }
    publications = await countSelected(tx, held(ofRun))
    note({ publications })
    const by = { userId: caller.user.id, requestId: caller.requestId }
    await jobs.enqueue(tx, decideHeldJob, { ...ofRun, ...by, decision, reason })
    return { held_decision: decision, held_decided_at: now }
  })
}
