import type { SignedInScope } from '../../platform/http/http-server.ts'
import type { Deps } from '../../platform/module.ts'
import { listDecisions, undoDecision } from './rules.ts'
import { ById, Decisions, DecisionsQuery, UndoAnswer } from './schema.ts'

export function decisionsRoutes(scope: SignedInScope, deps: Deps): void {
  scope.get(
    '/admin/decisions',
    {
      config: { needs: 'decision.list_all' },
      schema: {
        operationId: 'listDecisions',
        summary: 'The caller’s last 20 decisions, or for administrators everybody’s, newest first',
        querystring: DecisionsQuery,
        response: { 200: Decisions },
      },
    },
    async ({ query, caller }) => ({ data: await listDecisions(deps, caller, query) }),
  )

  scope.post(
    '/admin/decisions/:id/undo',
    {
      config: {
        audits: 'publication.undo, claim.undo',
        needs: ['record.open', 'decision.undo'],
        limit: 'moderate',
        refusals: ['forbidden', 'conflict', 'claim_conflict', 'undo_expired', 'mail_sent'],
      },
      schema: {
        operationId: 'undoDecision',
        summary:
          'Undo a decision within 15 minutes, as its author or an administrator; records that have changed since stay',
        params: ById,
        response: { 200: UndoAnswer },
      },
    },
    async ({ params, caller }) => undoDecision(deps, caller, params.id),
  )
}
