import { requireCommune } from '../../../platform/access/mairies.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { numberedPage } from '../../../platform/http/listing/list-page.ts'
import { Page, publicPerPage } from '../../../platform/http/listing/paging.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { acteursOfCommune, findPublicActeur } from './queries.ts'
import { ByCommune, ByIdOrSlug, CommuneActeursQuery, PublicActeur } from './schema.ts'

/** Serves only validated, active acteurs; responds 404 for all others, as if they did not exist. */
export function readingRoutes(scope: HttpServer, { reads, lists }: Deps): void {
  scope.get(
    '/acteurs/:idOrSlug',
    {
      config: { shows: ['acteurs', 'communes'] },
      schema: {
        operationId: 'getPublicActeur',
        summary: 'One acteur, by its id or slug',
        params: ByIdOrSlug,
        response: { 200: record(PublicActeur) },
      },
    },
    async ({ params }) => ({ data: (await findPublicActeur(reads, params.idOrSlug)) ?? raise(notFound()) }),
  )

  scope.get(
    '/communes/:communeId/acteurs',
    {
      config: { shows: ['acteurs', 'communes'] },
      schema: {
        operationId: 'listCommuneActeurs',
        summary: 'Acteurs of a commune, by name',
        params: ByCommune,
        querystring: CommuneActeursQuery,
        response: { 200: Page(PublicActeur) },
      },
    },
    async ({ params: { communeId }, query }) => {
      const [answer] = await Promise.all([
        numberedPage(lists, acteursOfCommune, { ...query, commune_id: communeId }, publicPerPage),
        requireCommune(lists, communeId),
      ])
      return answer
    },
  )
}
