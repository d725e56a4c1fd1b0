import Type from 'typebox'
import { notFound } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf, pagingQuery } from '../../../platform/http/paging.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../schema.ts'
import { countOpenReports, findReportCount, listOpenReports, listReports } from './queries.ts'
import { type CategoryCount, OpenReports, PublicationReport, ReportsQuery } from './schema.ts'

export function reportAdminRoutes(scope: SignedInScope, { lists }: Pick<Deps, 'lists'>): void {
  scope.get(
    '/admin/reports',
    {
      schema: {
        operationId: 'listOpenReports',
        summary: 'Open reports of readers, oldest first, with their publications',
        querystring: ReportsQuery,
        response: { 200: OpenReports },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, adminPerPage)
      const [rows, categories] = await Promise.all([
        listOpenReports(lists, query, paging),
        countOpenReports(lists),
      ])
      const asked = categories.filter(
        ({ category }) => query.category === undefined || (category && query.category.includes(category)),
      )
      const { data, meta } = page(rows, sumOf(asked), paging)
      return { data, meta: { ...meta, categories } }
    },
  )

  scope.get(
    '/admin/publications/:id/reports',
    {
      schema: {
        operationId: 'listPublicationReports',
        summary: 'List the reports on a publication, open or closed, newest first',
        params: ById,
        querystring: Type.Object(pagingQuery(adminPerPage)),
        response: { 200: Page(PublicationReport) },
      },
    },
    async ({ params, query }) => {
      const paging = pagingOf(query, adminPerPage)
      const total = await findReportCount(lists, params.id)
      if (total === undefined) throw notFound()
      return page(await listReports(lists, params.id, paging), total, paging)
    },
  )
}

const sumOf = (counts: CategoryCount[]) => counts.reduce((sum, { open }) => sum + open, 0)
