import { requireCommune } from '../../../platform/access/mairies.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { Page, page, pagingOf, publicPerPage, totalOfSearch } from '../../../platform/http/listing/paging.ts'
import type { Deps } from '../../../platform/module.ts'
import { presentAt } from '../present.ts'
import { getSyncState } from '../queries.ts'
import { listByName, listNearest, listPublicOfCommune } from './queries.ts'
import { askedBy, listClosed } from './rules.ts'
import { ByCommune, CatalogueQuery, Listed, OfCommune } from './schema.ts'

export function catalogueRoutes(scope: HttpServer, { reads, lists, clock }: Deps): void {
  scope.get(
    '/communes/:id/defibrillateurs',
    {
      config: { uncached: 'what is open changes with the clock' },
      schema: {
        operationId: 'listCommuneDefibrillateurs',
        summary: 'Active defibrillators of a commune, and when they were brought up to date',
        params: ByCommune,
        response: { 200: OfCommune },
      },
    },
    async ({ params }) => {
      const [rows, { last_synced_at, sync_status }] = await Promise.all([
        listPublicOfCommune(reads, params.id),
        getSyncState(reads, params.id),
        requireCommune(reads, params.id),
      ])
      const meta = { count: rows.length, last_synced_at, sync_status }
      return { defibrillateurs: rows.map(presentAt(clock())), meta }
    },
  )

  scope.get(
    '/defibrillateurs',
    {
      config: { uncached: 'what is open changes with the clock' },
      schema: {
        operationId: 'listDefibrillateurs',
        summary: 'Active defibrillators of France, by name; around a place, the nearest first',
        querystring: CatalogueQuery,
        response: { 200: Page(Listed) },
      },
    },
    async ({ query }) => {
      const now = clock()
      const asked = askedBy(query)
      const closed = query.ouvert ? await listClosed(lists, asked, now) : []
      const paging = pagingOf(query, publicPerPage)
      const { rows, total } = await (asked.place === null
        ? listByName(lists, asked, closed, paging)
        : listNearest(lists, asked, asked.place, closed, paging))
      return page(rows.map(presentAt(now)), query.q === undefined ? { total } : totalOfSearch(total), paging)
    },
  )
}
