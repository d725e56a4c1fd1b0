import Type from 'typebox'
import { notFound } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../../platform/http/listing/list-page.ts'
import { listQuery } from '../../../platform/http/listing/paging.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../schema.ts'
import { versionsOf } from './queries.ts'
import { PublicationVersion } from './schema.ts'

export function historyAdminRoutes(scope: SignedInScope, { lists }: Deps): void {
  scope.get(
    '/admin/publications/:id/history',
    {
      schema: {
        operationId: 'listPublicationVersions',
        summary: 'Versions of its title and text, newest first: who wrote them, when and how',
        params: ById,
        querystring: Type.Object(listQuery),
        response: { 200: ListPage(PublicationVersion) },
      },
    },
    async ({ params, query }) => {
      const answer = await listPage(lists, versionsOf(params.id), query)
      if (answer.meta.total === 0) throw notFound()
      return answer
    },
  )
}
