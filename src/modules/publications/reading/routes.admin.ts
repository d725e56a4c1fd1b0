import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { getManagedPublication } from '../queries.ts'
import { ById, ManagedPublication } from '../schema.ts'

export function readingAdminRoutes(scope: SignedInScope, { db }: Pick<Deps, 'db'>): void {
  scope.get(
    '/admin/publications/:id',
    {
      schema: {
        operationId: 'getManagedPublication',
        summary: 'One publication, in whatever state',
        params: ById,
        response: { 200: record(ManagedPublication) },
      },
    },
    async ({ params }) => ({ data: await getManagedPublication(db, params) }),
  )
}
