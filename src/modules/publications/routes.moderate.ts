import type { Deps } from '../../platform/deps.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { one } from '../../platform/http/schemas.ts'
import { moderatePublication } from './moderation.ts'
import { presentManaged } from './present.ts'
import { signedIn } from './reach.ts'
import { Moderation } from './schema.admin.ts'
import { ById, ManagedPublication } from './schema.ts'

export function publicationsModerateRoutes(scope: HttpServer, { db }: Deps): void {
  scope.patch(
    '/publications/:id/moderate',
    {
      config: { limit: 'moderate', refusals: ['forbidden', 'precondition_failed'] },
      schema: {
        operationId: 'moderatePublication',
        summary: 'Decide on a publication, as a moderator or for a mairie',
        tags: ['publications'],
        params: ById,
        body: Moderation,
        response: { 200: one(ManagedPublication) },
      },
    },
    async ({ params, body, caller }) => {
      const row = await moderatePublication(db, signedIn(caller), params.id, body, 'bearer')
      return { data: presentManaged(row) }
    },
  )
}
