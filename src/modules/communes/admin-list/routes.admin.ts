import { withCanOf } from '../../../platform/access/rules.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { listPageOf } from '../../../platform/http/listing/list-page.ts'
import type { Paging } from '../../../platform/http/listing/paging.ts'
import type { Deps } from '../../../platform/module.ts'
import { communeActions } from '../editing/schema.ts'
import { countsByGap, listManagedCommunes } from './queries.ts'
import { CommunesAdminQuery, CommunesPage } from './schema.ts'

export function listingRoutes(scope: SignedInScope, { lists }: Deps): void {
  scope.get(
    '/admin/communes',
    {
      schema: {
        operationId: 'listManagedCommunes',
        summary: 'List communes with their missing data, by name, or by relevance with `q`',
        querystring: CommunesAdminQuery,
        response: { 200: CommunesPage },
      },
    },
    async ({ query }) => {
      let counts = countsByGap([])
      const read = async (paging: Paging) => {
        const found = await listManagedCommunes(lists, query, paging)
        counts = countsByGap(found.byMask)
        return found
      }
      const { data, meta } = await listPageOf(query, read, (rows) => rows.map(withCanOf(communeActions)))
      return { data, meta: { ...meta, incomplete: counts } }
    },
  )
}
