import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../../platform/http/paging.ts'
import type { Deps } from '../../../platform/module.ts'
import { withRecords } from '../acteur-record.ts'
import { withCan } from '../moderation/states.ts'
import { listManaged } from './queries.ts'
import { AdminQuery, ListedPublication } from './schema.ts'

export function listAdminRoutes(scope: SignedInScope, { db }: Pick<Deps, 'db'>): void {
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
      const { rows, total } = await listManaged(db, query, paging)
      return page((await withRecords(db, rows)).map(withCan), total, paging)
    },
  )
}
