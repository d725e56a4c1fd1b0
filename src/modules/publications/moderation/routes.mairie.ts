import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ManagedPublication } from '../schema.ts'
import { moderateForMairie } from './rules.ts'
import { ByMairieAndId, Moderation } from './schema.ts'

export function moderationMairieRoutes(scope: SignedInScope, { db }: Pick<Deps, 'db'>): void {
  scope.patch(
    '/mairie/acteurs/:acteurId/publications/:publicationId/moderate',
    {
      config: {
        audits: 'publication.moderate',
        needs: 'Owner of the mairie, or `publish_publications`',
        limit: 'moderate',
        refusals: ['precondition_failed'],
      },
      schema: {
        operationId: 'moderateMairiePublication',
        summary: 'Decide on what a mairie has written or may supervise',
        params: ByMairieAndId,
        body: Moderation,
        response: { 200: record(ManagedPublication) },
      },
    },
    async ({ params: { acteurId, publicationId }, body, caller }) => ({
      data: await moderateForMairie(db, caller, acteurId, publicationId, body),
    }),
  )
}
