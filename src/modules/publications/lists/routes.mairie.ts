import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../../platform/http/listing/paging.ts'
import type { Deps } from '../../../platform/module.ts'
import { mayDecideFor } from '../moderation/authorise.ts'
import { withReasonFor } from '../permissions.ts'
import { ByMairie } from '../schema.ts'
import { restrictionOf } from '../visibility.ts'
import { listForMairie } from './queries.ts'
import { MairiePublication, MairieQuery } from './schema.ts'

export function listMairieRoutes(scope: SignedInScope, { lists }: Deps): void {
  scope.get(
    '/mairie/acteurs/:acteurId/publications',
    {
      schema: {
        operationId: 'listMairiePublications',
        summary: 'List what a mairie has written, in every state, and what it may supervise',
        params: ByMairie,
        querystring: MairieQuery,
        response: { 200: Page(MairiePublication) },
      },
    },
    async ({ params, query, caller }) => {
      const paging = pagingOf(query, adminPerPage)
      const mairieId = params.acteurId
      const mayDecide = mayDecideFor(caller.user, mairieId)
      const list = { mairieId, mayDecide, filters: query, communeIds: restrictionOf(caller) }
      const found = await listForMairie(lists, list, paging)
      return page(
        found.rows.map((row) => withReasonFor(caller.user, row)),
        found,
        paging,
      )
    },
  )
}
