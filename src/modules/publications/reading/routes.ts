import type { RawBuilder } from 'kysely'
import type { Caller } from '../../../platform/access/caller.ts'
import { notFound, scopeViolation } from '../../../platform/errors.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { Page, page, pagingOf, publicPerPage } from '../../../platform/http/paging.ts'
import { list, record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { communeExists } from '../../communes/queries.ts'
import { ById, Publication, PublicationType } from '../schema.ts'
import { isInScope, restrictionOf } from '../visibility.ts'
import * as queries from './queries.ts'
import { ByActeur, ByCommune, PublicQuery, PublicQueryOfActeur, PublicQueryOfCommune } from './schema.ts'

/** What a publication is shown with. */
const shows = ['publications', 'publication_communes', 'publication_types', 'acteurs', 'communes']

export function readingRoutes(scope: HttpServer, { db }: Pick<Deps, 'db'>): void {
  scope.get(
    '/publications/types',
    {
      config: { shows: ['publication_types'] },
      schema: {
        operationId: 'listPublicationTypes',
        summary: 'Publication types, in order',
        response: { 200: list(PublicationType) },
      },
    },
    async () => ({ data: await queries.listPublicationTypes(db) }),
  )

  scope.get(
    '/publications',
    {
      config: { shows },
      schema: {
        operationId: 'listPublications',
        summary: 'Publications: featured ones first, then the newest',
        querystring: PublicQuery,
        response: { 200: Page(Publication) },
      },
    },
    async ({ query, caller }) => listVisible(query, caller, queries.featuredFirst),
  )

  scope.get(
    '/publications/:id',
    {
      config: { shows },
      schema: {
        operationId: 'getPublication',
        summary: 'One publication',
        params: ById,
        response: { 200: record(Publication) },
      },
    },
    async ({ params, caller }) => {
      const publication = await queries.findPublication(db, params.id)
      if (publication === undefined) throw notFound()
      if (!isInScope(caller, publication)) throw scopeViolation()
      return { data: publication }
    },
  )

  scope.get(
    '/acteurs/:acteurId/publications',
    {
      config: { shows },
      schema: {
        operationId: 'listPublicationsOfActeur',
        summary: 'Publications of an acteur: pinned ones first, then the newest',
        params: ByActeur,
        querystring: PublicQueryOfActeur,
        response: { 200: Page(Publication) },
      },
    },
    async ({ params, query, caller }) => {
      if (!(await queries.isActeurShown(db, params.acteurId))) throw notFound()
      return listVisible({ ...query, acteur_id: params.acteurId }, caller, queries.pinnedFirst)
    },
  )

  scope.get(
    '/communes/:communeId/publications',
    {
      config: { shows },
      schema: {
        operationId: 'listPublicationsOfCommune',
        summary: 'Publications of a commune: featured ones first, then the newest',
        params: ByCommune,
        querystring: PublicQueryOfCommune,
        response: { 200: Page(Publication) },
      },
    },
    async ({ params, query, caller }) => {
      if (!(await communeExists(db, params.communeId))) throw notFound()
      return listVisible({ ...query, commune_id: params.communeId }, caller, queries.featuredFirst)
    },
  )

  async function listVisible(filters: PublicQuery, caller: Caller, comesFirst: RawBuilder<boolean>) {
    const paging = pagingOf(filters, publicPerPage)
    const list = { filters, communeIds: restrictionOf(caller), comesFirst }
    const counts = await queries.countVisible(db, list)
    return page(await queries.listVisible(db, list, counts, paging), counts.total, paging)
  }
}
