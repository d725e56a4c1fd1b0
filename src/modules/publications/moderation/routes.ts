import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { Moderation } from '../lists/schema.ts'
import { presentManaged } from '../present.ts'
import { ById, ManagedPublication } from '../schema.ts'
import { moderatePublication } from './rules.ts'

export function publicationsModerateRoutes(scope: SignedInScope, { db }: Pick<Deps, 'db'>): void {
  scope.patch(
    '/publications/:id/moderate',
    {
      config: { limit: 'moderate', refusals: ['forbidden', 'precondition_failed'] },
      schema: {
        operationId: 'moderatePublication',
        summary: 'Decide on a publication, as a moderator or for a mairie',
        params: ById,
        body: Moderation,
        response: { 200: record(ManagedPublication) },
      },
    },
    async ({ params, body, caller }) => {
      const row = await moderatePublication(db, caller, params.id, body, 'bearer')
      return { data: presentManaged(row) }
    },
  )
}
