import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById, ManagedPublication } from '../schema.ts'
import { moderatePublication } from './rules.ts'
import { Moderation } from './schema.ts'

export function moderationRoutes(scope: SignedInScope, { db }: Pick<Deps, 'db'>): void {
  scope.patch(
    '/publications/:id/moderate',
    {
      config: {
        audits: 'publication.moderate',
        needs:
          'Moderator, from the back-office; or, for a mairie that has written or supervises it, its owner or `publish_publications`',
        limit: 'moderate',
        refusals: ['forbidden', 'precondition_failed'],
      },
      schema: {
        operationId: 'moderatePublication',
        summary: 'Decide on a publication, as a moderator or for a mairie',
        params: ById,
        body: Moderation,
        response: { 200: record(ManagedPublication) },
      },
    },
    async ({ params, body, caller }) => ({ data: await moderatePublication(db, caller, params.id, body) }),
  )
}
