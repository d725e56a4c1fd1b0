import { notFound, raise } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { readList } from '../../../platform/http/listing/list.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { listPresent } from '../../presence/queries.ts'
import { withCan } from '../decisions/states.ts'
import { withRecords } from '../office.ts'
import { getOfficePublication } from '../queries.ts'
import { reportsOfPublication } from '../reports/queries.ts'
import { ReportedPublication, shownReports } from '../reports/schema.ts'
import { ById } from '../schema.ts'

const newest = { limit: shownReports, offset: 0, isCounted: false }

export function readingAdminRoutes(scope: SignedInScope, { reads }: Deps): void {
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
    async ({ params, caller }) => {
      const [publication, reports, present] = await Promise.all([
        getOfficePublication(reads, params.id),
        readList(reads, reportsOfPublication, { publication_id: params.id }, newest),
        listPresent(reads, caller, { kind: 'publication', id: params.id }),
      ])
      const [whole = raise(notFound())] = await withRecords(reads, [publication])
      return { data: { ...withCan(whole), reports: reports.rows, present } }
    },
  )
}
