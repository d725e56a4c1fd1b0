import { requireRow } from '../../platform/database/require-row.ts'
import { notFound, raise } from '../../platform/errors.ts'
import { isUuid } from '../../platform/formats/uuid.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { list, record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { findShown, listShown } from './queries.ts'
import { PageListed, PublicById, PublicBySlug, PublicPage } from './schema.ts'

export function readingRoutes(scope: HttpServer, { reads }: Deps): void {
  scope.get(
    '/communes/:id/pages',
    {
      config: { caching: { shows: ['communes', 'commune_pages'] } },
      schema: {
        operationId: 'listCommunePages',
        summary: 'Pages of a commune about life in it, in order, in two levels',
        params: PublicById,
        response: { 200: list(PageListed) },
      },
    },
    async ({ params }) => {
      const [pages] = await Promise.all([
        listShown(reads, params.id),
        requireRow(reads, 'communes', params.id),
      ])
      return { data: pages }
    },
  )

  scope.get(
    '/communes/:id/pages/:page',
    {
      config: { caching: { shows: ['communes', 'commune_pages'] } },
      schema: {
        operationId: 'getCommunePage',
        summary: 'One page of a commune, by its slug or id',
        params: PublicBySlug,
        response: { 200: record(PublicPage) },
      },
    },
    async ({ params }) => ({
      data: (await findShown(reads, params.id, keyOf(params.page))) ?? raise(notFound()),
    }),
  )
}

/** Returns by what a page is found: its id if the text is a UUID, else its slug. */
export const keyOf = (idOrSlug: string) => ({
  by: isUuid(idOrSlug) ? ('id' as const) : ('slug' as const),
  value: idOrSlug,
})
