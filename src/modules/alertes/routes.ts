import { notFound } from '../../platform/errors.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { Page, page, pagingOf, publicPerPage } from '../../platform/http/paging.ts'
import type { Deps } from '../../platform/module.ts'
import { communeExists } from '../communes/queries.ts'
import { countAlertesInForce, listAlertesInForce } from './queries.ts'
import { Alerte, ByCommune, InForceQuery, provisional } from './schema.ts'

export function alertesInForceRoutes(
  scope: HttpServer,
  { lists, clock }: Pick<Deps, 'lists' | 'clock'>,
): void {
  scope.get(
    '/communes/:communeId/alertes',
    {
      config: { uncached: 'alerts begin and end with the clock' },
      schema: {
        ...provisional,
        operationId: 'listAlertesInForce',
        summary: 'Alerts in force now, of a commune and of its mairie, newest first',
        params: ByCommune,
        querystring: InForceQuery,
        response: { 200: Page(Alerte) },
      },
    },
    async ({ params: { communeId }, query }) => {
      const paging = pagingOf(query, publicPerPage)
      const now = clock()
      const [rows, total, exists] = await Promise.all([
        listAlertesInForce(lists, communeId, now, paging),
        countAlertesInForce(lists, communeId, now),
        communeExists(lists, communeId),
      ])
      if (!exists) throw notFound()
      return page(rows, total, paging)
    },
  )
}
