import type { SignedInScope } from '../../../platform/http/http-server.ts'
import type { Deps } from '../../../platform/module.ts'
import { decideBulk } from './rules.ts'
import { BulkAnswer, BulkDecision } from './schema.ts'

export function bulkRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.patch(
    '/admin/acteurs/bulk',
    {
      config: { audits: 'acteur.validate, acteur.active, acteur.can_publish, acteur.badge' },
      schema: {
        operationId: 'decideActeurs',
        summary: 'The same decisions on up to a hundred acteurs, all or nothing',
        body: BulkDecision,
        response: { 200: BulkAnswer },
      },
    },
    async ({ body, caller }) => decideBulk(db, caller, body),
  )
}
