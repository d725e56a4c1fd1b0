import { requireCommune } from '../../../platform/access/mairies.ts'
import { notFound, raise } from '../../../platform/errors.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { startOfWalk, walked } from '../../../platform/http/listing/cursor.ts'
import { pagingOf, publicPerPage } from '../../../platform/http/listing/paging.ts'
import { list, record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { todayInParis } from '../../../platform/time/paris-time.ts'
import { withNextDates } from '../calendar.ts'
import { mergeInfos } from '../infos.ts'
import { findDepartement, findMairieContact, listCollectes, listElus, listInfos } from '../queries.ts'
import { ById, Collecte, Commune, Elu, Infos } from '../schema.ts'
import { findCommune, listCommunes, listUpdatedCommunes } from './queries.ts'
import { BySlug, CommunePage, CommunesQuery } from './schema.ts'

export function readingRoutes(scope: HttpServer, { reads, lists, clock }: Deps): void {
  scope.get(
    '/communes',
    {
      config: { shows: ['communes', 'commune_aliases', 'commune_former_names'] },
      schema: {
        operationId: 'listCommunes',
        summary: 'List communes, by name, or by relevance with `q`',
        querystring: CommunesQuery,
        response: { 200: CommunePage },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, publicPerPage)
      const start = startOfWalk(query, ['departement', 'code_insee'])
      if (start !== null)
        return walked(await listUpdatedCommunes(lists, query, start, paging.perPage + 1), paging.perPage)
      const data = await listCommunes(lists, query, paging)
      return { data, meta: { page: paging.page, per_page: paging.perPage } }
    },
  )

  scope.get(
    '/communes/:slug',
    {
      config: { shows: ['communes'] },
      schema: {
        operationId: 'getCommune',
        summary: 'One commune, by its slug or id',
        params: BySlug,
        response: { 200: record(Commune) },
      },
    },
    async ({ params }) => ({ data: (await findCommune(reads, params.slug)) ?? raise(notFound()) }),
  )

  scope.get(
    '/communes/:id/elus',
    {
      config: { shows: ['communes', 'elus'] },
      schema: {
        operationId: 'listElus',
        summary: 'Elected officials of a commune, in order',
        params: ById,
        response: { 200: list(Elu) },
      },
    },
    async ({ params }) => {
      const [elus] = await Promise.all([listElus(reads, params.id), requireCommune(reads, params.id)])
      return { data: elus }
    },
  )

  scope.get(
    '/communes/:id/collectes',
    {
      config: { uncached: 'the next dates change with the day' },
      schema: {
        operationId: 'listCollectes',
        summary: 'Waste collections of a commune, with their next dates',
        params: ById,
        response: { 200: list(Collecte) },
      },
    },
    async ({ params }) => {
      const [collectes, departement] = await Promise.all([
        listCollectes(reads, params.id),
        findDepartement(reads, params.id),
      ])
      if (departement === null) throw notFound()
      const today = todayInParis(clock())
      return { data: collectes.map((collecte) => withNextDates(collecte, today, departement)) }
    },
  )

  scope.get(
    '/communes/:id/infos',
    {
      config: { shows: ['communes', 'commune_infos', 'acteurs'] },
      schema: {
        operationId: 'getInfos',
        summary: "Practical information of a commune, its mairie's first",
        params: ById,
        response: { 200: record(Infos) },
      },
    },
    async ({ params }) => {
      const [mairie, rows] = await Promise.all([
        findMairieContact(reads, params.id),
        listInfos(reads, params.id),
        requireCommune(reads, params.id),
      ])
      return { data: mergeInfos(mairie, rows) }
    },
  )
}
