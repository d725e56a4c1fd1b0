import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../schema.ts'
import { correctPublication } from './rules.ts'
import { CorrectedPublication, Correction } from './schema.ts'

export function correctingAdminRoutes(scope: SignedInScope, tools: Deps): void {
  scope.patch(
    '/admin/publications/:id',
    {
      config: {
        audits: 'publication.correct',
        limit: 'moderate',
        refusals: ['conflict', 'precondition_failed'],
      },
      schema: {
        operationId: 'correctPublication',
        summary: 'Correct its content; the status stays, and the author gets a mail',
        params: ById,
        body: Correction,
        response: { 200: record(CorrectedPublication) },
      },
    },
    async ({ params, body, caller }) => ({ data: await correctPublication(tools, caller, params.id, body) }),
  )
}
