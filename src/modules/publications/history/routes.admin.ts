import Type from 'typebox'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf, pagingQuery } from '../../../platform/http/paging.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../schema.ts'
import { listVersions } from './queries.ts'
import { PublicationVersion } from './schema.ts'

export function historyAdminRoutes(scope: SignedInScope, { lists }: Pick<Deps, 'lists'>): void {
  scope.get(
    '/admin/publications/:id/history',
    {
      schema: {
        operationId: 'listPublicationVersions',
        summary: 'Versions of its title and text, newest first: who wrote them, when and how',
        params: ById,
        querystring: Type.Object(pagingQuery(adminPerPage)),
        response: { 200: Page(PublicationVersion) },
      },
    },
    async ({ params, query }) => {
      const paging = pagingOf(query, adminPerPage)
      const { rows, total } = await listVersions(lists, params.id, paging)
      return page(rows, total, paging)
    },
  )
}
