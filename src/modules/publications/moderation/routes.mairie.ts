import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { moderateForMairie } from './rules.ts'
import { ByMairieAndId, DecidedByMember, Moderation } from './schema.ts'

export function moderationMairieRoutes(scope: SignedInScope, tools: Deps): void {
  scope.patch(
    '/mairie/acteurs/:acteurId/publications/:publicationId/moderate',
    {
      config: {
        audits: 'publication.moderate',
        needs: 'publication.moderate_for_mairie',
        limit: 'moderate',
        refusals: ['precondition_failed', 'alt_required'],
      },
      schema: {
        operationId: 'moderateMairiePublication',
        summary: 'Decide on what a mairie has written or may supervise',
        params: ByMairieAndId,
        body: Moderation,
        response: { 200: record(DecidedByMember) },
      },
    },
    async ({ params: { acteurId, publicationId }, body, caller }) => ({
      data: await moderateForMairie(tools, caller, acteurId, publicationId, body),
    }),
  )
}
