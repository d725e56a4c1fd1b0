import { prepared } from '../../../platform/database/pools/prepared.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../../platform/http/paging.ts'
import type { Deps } from '../../../platform/module.ts'
import { withRecords } from '../acteur-record.ts'
import { withCan } from '../decisions/states.ts'
import { listManaged } from './queries.ts'
import { AdminQuery, ListedPublication } from './schema.ts'

export function listAdminRoutes(scope: SignedInScope, { lists }: Pick<Deps, 'lists'>): void {
  scope.get(
    '/admin/publications',
    {
      schema: {
        operationId: 'listManagedPublications',
        summary: 'Publications in every state; filters combine',
        querystring: AdminQuery,
        response: { 200: Page(ListedPublication) },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, adminPerPage)
      const { rows, total } = await listManaged(lists, query, paging)
      return page((await withRecords(prepared(lists), rows)).map(withCan), total, paging)
    },
  )
}
