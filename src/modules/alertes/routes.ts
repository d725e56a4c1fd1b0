import { requireRow } from '../../platform/database/require-row.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { Page, publicPerPage } from '../../platform/http/listing/paging.ts'
import type { Deps } from '../../platform/module.ts'
import { alertesInForce } from './queries.ts'
import { Alerte, ByCommune, InForceQuery, provisional } from './schema.ts'

export function alertesInForceRoutes(scope: HttpServer, { lists, clock }: Deps): void {
  scope.get(
    '/communes/:communeId/alertes',
    {
      config: { caching: { never: 'alerts begin and end with the clock' } },
      schema: {
        ...provisional,
        operationId: 'listAlertesInForce',
        summary: 'Alerts in force now, of a commune, its mairie and its groups, newest first',
        params: ByCommune,
        querystring: InForceQuery,
        response: { 200: Page(Alerte) },
      },
    },
    async ({ params: { communeId }, query }) => {
      const [answer] = await Promise.all([
        numberedPage(
          lists,
          alertesInForce(clock(), communeId),
          { ...query, commune_id: communeId },
          publicPerPage,
        ),
        requireRow(lists, 'communes', communeId),
      ])
      return answer
    },
  )
}
