import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { list } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { withCan } from '../decisions/states.ts'
import { ById } from '../schema.ts'
import { listSimilar, maxSimilar } from './queries.ts'
import { SimilarPublication } from './schema.ts'

export function similarAdminRoutes(scope: SignedInScope, { reads }: Deps): void {
  scope.get(
    '/admin/publications/:id/similar',
    {
      schema: {
        operationId: 'listSimilarPublications',
        summary: `Up to ${maxSimilar} publications that resemble one, and what they share`,
        params: ById,
        response: { 200: list(SimilarPublication) },
      },
    },
    async ({ params }) => ({ data: (await listSimilar(reads, params.id)).map(withCan) }),
  )
}
