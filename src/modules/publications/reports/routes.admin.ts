import Type from 'typebox'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { readList } from '../../../platform/http/listing/list.ts'
import { ListPage, listPage, listPageOf } from '../../../platform/http/listing/list-page.ts'
import { listQuery } from '../../../platform/http/listing/paging.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../schema.ts'
import { countOpenReports, openReports, reportsOfPublication, requirePublication } from './queries.ts'
import { type CategoryCount, OpenReports, PublicationReport, ReportsQuery } from './schema.ts'

export function reportAdminRoutes(scope: SignedInScope, { lists }: Deps): void {
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
      const counts = countOpenReports(lists)
      // Awaited after the list, which may fail first.
      counts.catch(() => {})
      const isAsked = ({ category }: CategoryCount) =>
        query.category === undefined || (category !== null && query.category.includes(category))
      const { data, meta } = await listPageOf(query, async (paging) => {
        const found = await readList(lists, openReports, query, { ...paging, isCounted: false })
        return { ...found, total: sumOf((await counts).filter(isAsked)) }
      })
      return { data, meta: { ...meta, categories: await counts } }
    },
  )

  scope.get(
    '/admin/publications/:id/reports',
    {
      schema: {
        operationId: 'listPublicationReports',
        summary: 'List the reports on a publication, open or closed, newest first',
        params: ById,
        querystring: Type.Object(listQuery),
        response: { 200: ListPage(PublicationReport) },
      },
    },
    async ({ params, query }) => {
      const [answer] = await Promise.all([
        listPage(lists, reportsOfPublication, { ...query, publication_id: params.id }),
        requirePublication(lists, params.id),
      ])
      return answer
    },
  )
}

const sumOf = (counts: CategoryCount[]) => counts.reduce((sum, { open }) => sum + open, 0)
