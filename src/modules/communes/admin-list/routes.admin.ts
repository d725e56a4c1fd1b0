import { withCanOf } from '../../../platform/access/rules.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../../platform/http/listing/list-page.ts'
import type { Deps } from '../../../platform/module.ts'
import { communeActions } from '../editing/schema.ts'
import { listManagedCommunes } from './queries.ts'
import { CommunesAdminQuery, ManagedCommune } from './schema.ts'

export function listingRoutes(scope: SignedInScope, { lists }: Pick<Deps, 'lists'>): void {
  scope.get(
    '/admin/communes',
    {
      schema: {
        operationId: 'listManagedCommunes',
        summary: 'Communes, by name; searched for, the nearest first; or as asked',
        querystring: CommunesAdminQuery,
        response: { 200: ListPage(ManagedCommune) },
      },
    },
    async ({ query }) =>
      listPage(query, {
        rows: (paging) => listManagedCommunes(lists, query, paging),
        present: (rows) => rows.map(withCanOf(communeActions)),
      }),
  )
}
