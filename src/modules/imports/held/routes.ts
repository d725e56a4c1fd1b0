import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { noBody, record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ByRunId } from '../all-runs/schema.ts'
import { decideHeld } from './rules.ts'
import { HeldDecided, HeldRefusal } from './schema.ts'

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
