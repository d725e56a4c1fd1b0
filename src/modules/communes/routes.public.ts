import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database/connect.ts'
import { notFound, raise } from '../../platform/errors.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { pagingOf, publicPerPage } from '../../platform/http/paging.ts'
import { list, record } from '../../platform/http/schemas.ts'
import { todayInParis } from './calendar.ts'
import { mergeInfos } from './infos.ts'
import { presentCollecte } from './present.ts'
import * as queries from './queries.ts'
import { ById, BySlug, Collecte, Commune, CommunePage, Elu, Infos, ListQuery } from './schema.ts'

export function communesPublicRoutes(scope: HttpServer, { db, clock }: { db: Database; clock: Clock }): void {
  scope.get(
    '/communes',
    {
      schema: {
        operationId: 'listCommunes',
        summary: 'Communes, by name',
        querystring: ListQuery,
        response: { 200: CommunePage },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, publicPerPage)
      const data = await queries.listCommunes(db, query, paging)
      return { data, meta: { page: paging.page, per_page: paging.perPage } }
    },
  )

  scope.get(
    '/communes/:slug',
    {
      schema: {
        operationId: 'getCommune',
        summary: 'One commune, by its slug',
        params: BySlug,
        response: { 200: record(Commune) },
      },
    },
    async ({ params }) => ({
      data: (await queries.findCommuneBySlug(db, params.slug)) ?? raise(notFound()),
    }),
  )

  scope.get(
    '/communes/:id/elus',
    {
      schema: {
        operationId: 'listElus',
        summary: 'Elected officials of a commune, in order',
        params: ById,
        response: { 200: list(Elu) },
      },
    },
    async ({ params }) => {
      const [elus] = await Promise.all([queries.listElus(db, params.id), requireCommune(params.id)])
      return { data: elus }
    },
  )

  scope.get(
    '/communes/:id/collectes',
    {
      schema: {
        operationId: 'listCollectes',
        summary: 'Waste collections of a commune, with their next dates',
        params: ById,
        response: { 200: list(Collecte) },
      },
    },
    async ({ params }) => {
      const [collectes] = await Promise.all([queries.listCollectes(db, params.id), requireCommune(params.id)])
      const today = todayInParis(clock())
      return { data: collectes.map((collecte) => presentCollecte(collecte, today)) }
    },
  )

  scope.get(
    '/communes/:id/infos',
    {
      schema: {
        operationId: 'getInfos',
        summary: "Practical information of a commune, its mairie's first",
        params: ById,
        response: { 200: record(Infos) },
      },
    },
    async ({ params }) => {
      const [mairie, rows] = await Promise.all([
        queries.findMairieContact(db, params.id),
        queries.listInfos(db, params.id),
        requireCommune(params.id),
      ])
      return { data: mergeInfos(mairie, rows) }
    },
  )

  async function requireCommune(id: string): Promise<void> {
    if (!(await queries.communeExists(db, id))) throw notFound()
  }
}
