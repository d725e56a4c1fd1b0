import Type from 'typebox'
import { notFound } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf, pagingQuery } from '../../../platform/http/paging.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../schema.ts'
import { findReportCount, listReports } from './queries.ts'
import { PublicationReport } from './schema.ts'

export function reportAdminRoutes(scope: SignedInScope, { db }: Pick<Deps, 'db'>): void {
  scope.get(
    '/admin/publications/:id/reports',
    {
      schema: {
        operationId: 'listPublicationReports',
        summary: 'What readers have reported of a publication, open or closed, newest first',
        params: ById,
        querystring: Type.Object(pagingQuery(adminPerPage)),
        response: { 200: Page(PublicationReport) },
      },
    },
    async ({ params, query }) => {
      const paging = pagingOf(query, adminPerPage)
      const total = await findReportCount(db, params.id)
      if (total === undefined) throw notFound()
      return page(await listReports(db, params.id, paging), total, paging)
    },
  )
}
