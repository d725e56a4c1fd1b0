import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { getManagedPublication } from '../queries.ts'
import { listReports } from '../reports/queries.ts'
import { ReportedPublication, shownReports } from '../reports/schema.ts'
import { ById } from '../schema.ts'

export function readingAdminRoutes(scope: SignedInScope, { db }: Pick<Deps, 'db'>): void {
  scope.get(
    '/admin/publications/:id',
    {
      schema: {
        operationId: 'getManagedPublication',
        summary: 'One publication, in whatever state, with its newest reports',
        params: ById,
        response: { 200: record(ReportedPublication) },
      },
    },
    async ({ params }) => {
      const publication = await getManagedPublication(db, params)
      const reports = await listReports(db, params.id, { limit: shownReports, offset: 0 })
      return { data: { ...publication, reports } }
    },
  )
}
