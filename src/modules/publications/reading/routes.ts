import type { RawBuilder } from 'kysely'
import type { Caller } from '../../../platform/access/caller.ts'
import { notFound, scopeViolation } from '../../../platform/errors.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { Page, page, pagingOf, publicPerPage } from '../../../platform/http/paging.ts'
import { list, record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { communeExists } from '../../communes/queries.ts'
import { presentPublication } from '../present.ts'
import {
  ByActeur,
  ByCommune,
  ById,
  Publication,
  PublicationType,
  PublicQuery,
  PublicQueryOfActeur,
  PublicQueryOfCommune,
} from '../schema.ts'
import * as queries from './queries.ts'

export function publicationsPublicRoutes(scope: HttpServer, { db }: Pick<Deps, 'db'>): void {
  scope.get(
    '/publications/types',
    {
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
      schema: {
        operationId: 'listPublications',
        summary: 'Publications: featured ones first, then the newest',
        querystring: PublicQuery,
        response: { 200: Page(Publication) },
      },
    },
    async ({ query, caller }) => listShown(query, caller, queries.featuredFirst),
  )

  scope.get(
    '/publications/:id',
    {
      schema: {
        operationId: 'getPublication',
        summary: 'One publication',
        params: ById,
        response: { 200: record(Publication) },
      },
    },
    async ({ params, caller }) => {
      const row = await queries.findVisible(db, params.id, scopeOf(caller))
      if (row === undefined) throw notFound()
      if (!row.in_scope) throw scopeViolation()
      return { data: presentPublication(row) }
    },
  )

  scope.get(
    '/acteurs/:acteurId/publications',
    {
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
      return listShown({ ...query, acteur_id: params.acteurId }, caller, queries.pinnedFirst)
    },
  )

  scope.get(
    '/communes/:communeId/publications',
    {
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
      return listShown({ ...query, commune_id: params.communeId }, caller, queries.featuredFirst)
    },
  )

  async function listShown(query: PublicQuery, caller: Caller, first: RawBuilder<boolean>) {
    const paging = pagingOf(query, publicPerPage)
    const communeIds = scopeOf(caller)
    const { rows, total } = await queries.listVisible(db, { filters: query, communeIds, first }, paging)
    return page(rows.map(presentPublication), total, paging)
  }
}

const scopeOf = ({ source }: Caller) => source?.communeIds ?? null
