import { prepared } from '../../../platform/database/pools/prepared.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { ListPage, listPageOf } from '../../../platform/http/listing/list-page.ts'
import { serializedOnce } from '../../../platform/http/listing/serialized-once.ts'
import { sharedPages } from '../../../platform/http/listing/shared-pages.ts'
import type { Deps } from '../../../platform/module.ts'
import { withCan } from '../decisions/states.ts'
import { withRecords } from '../office.ts'
import { listManaged } from './queries.ts'
import { AdminQuery, ListedPublication } from './schema.ts'

export function listAdminRoutes(scope: SignedInScope, { lists }: Deps): void {
  const readPage = sharedPages(async (query: AdminQuery) =>
    serializedOnce(
      await listPageOf(
        query,
        (paging) => listManaged(lists, query, paging),
        async (rows, memo) => (await withRecords(prepared(lists), rows, memo)).map(withCan),
      ),
    ),
  )
  scope.get(
    '/admin/publications',
    {
      schema: {
        operationId: 'listManagedPublications',
        summary: 'Publications in every state; filters combine',
        querystring: AdminQuery,
        response: { 200: ListPage(ListedPublication) },
      },
    },
    async ({ query }) => readPage(query),
  )
}
