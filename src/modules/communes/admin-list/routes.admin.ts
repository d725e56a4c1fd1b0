import { withCanOf } from '../../../platform/access/rules.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../../platform/http/paging.ts'
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
        response: { 200: Page(ManagedCommune) },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, adminPerPage)
      const { rows, total } = await listManagedCommunes(lists, query, paging)
      return page(rows.map(withCanOf(communeActions)), total, paging)
    },
  )
}
