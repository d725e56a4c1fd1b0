import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../schema.ts'
import { moderatePublication } from './rules.ts'
import { DecidedByMember, Moderation } from './schema.ts'

export function moderationRoutes(scope: SignedInScope, tools: Deps): void {
  scope.patch(
    '/publications/:id/moderate',
    {
      config: {
        audits: 'publication.moderate',
        needs: 'publication.moderate',
        limit: 'moderate',
        refusals: ['forbidden', 'precondition_failed', 'alt_required'],
      },
      schema: {
        operationId: 'moderatePublication',
        summary: 'Decide on a publication, as a moderator or for a mairie',
        params: ById,
        body: Moderation,
        response: { 200: record(DecidedByMember) },
      },
    },
    async ({ params, body, caller }) => ({ data: await moderatePublication(tools, caller, params.id, body) }),
  )
}
