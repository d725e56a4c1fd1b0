import type { Deps } from '../../platform/deps.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../platform/http/paging.ts'
import { one } from '../../platform/http/schemas.ts'
import { presentActeur } from './present.ts'
import { countActeurs, getActeur, listActeurs } from './queries.ts'
import { acteursDecisionRoutes } from './routes.decisions.ts'
import { createActeur, deleteActeur, restoreActeur, updateActeur } from './rules.ts'
import { Acteur, ActeurCreate, ActeursQuery, ActeurUpdate, ById } from './schema.ts'

const tags = ['acteurs']

export function acteursAdminRoutes(scope: HttpServer, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  scope.get(
    '/admin/acteurs',
    {
      config: { area: 'acteurs' },
      schema: {
        operationId: 'listActeurs',
        summary: 'Acteurs, newest first',
        tags,
        querystring: ActeursQuery,
        response: { 200: Page(Acteur) },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, adminPerPage)
      const [rows, total] = await Promise.all([listActeurs(db, query, paging), countActeurs(db, query)])
      return page(rows.map(presentActeur), total, paging)
    },
  )

  scope.post(
    '/admin/acteurs',
    {
      config: { area: 'acteurs' },
      schema: {
        operationId: 'createActeur',
        summary: 'Create an acteur, not yet validated',
        tags,
        body: ActeurCreate,
        response: { 201: one(Acteur) },
      },
    },
    async ({ body, caller }, reply) =>
      reply.code(201).send({ data: presentActeur(await createActeur(db, caller, body)) }),
  )

  scope.get(
    '/admin/acteurs/:id',
    {
      config: { area: 'acteurs' },
      schema: {
        operationId: 'getActeur',
        summary: 'Read an acteur, also a deleted one',
        tags,
        params: ById,
        response: { 200: one(Acteur) },
      },
    },
    async ({ params }) => ({ data: presentActeur(await getActeur(db, params.id)) }),
  )

  scope.patch(
    '/admin/acteurs/:id',
    {
      config: { area: 'acteurs', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'updateActeur',
        summary: 'Update what an acteur says of itself; its slug stays',
        tags,
        params: ById,
        body: ActeurUpdate,
        response: { 200: one(Acteur) },
      },
    },
    async ({ params, body, caller }) => ({
      data: presentActeur(await updateActeur(db, caller, params.id, body)),
    }),
  )

  scope.delete(
    '/admin/acteurs/:id',
    {
      config: { area: 'acteurs', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'deleteActeur',
        summary: 'Delete an acteur so that it can be restored; what it published is no longer public',
        tags,
        params: ById,
        response: { 200: one(Acteur) },
      },
    },
    async ({ params, caller }) => ({
      data: presentActeur(await deleteActeur(db, caller, params.id, clock())),
    }),
  )

  scope.delete(
    '/admin/acteurs/:id/restore',
    {
      config: { area: 'acteurs', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'restoreActeur',
        summary: 'Restore a deleted acteur, with what it published',
        tags,
        params: ById,
        response: { 200: one(Acteur) },
      },
    },
    async ({ params, caller }) => ({ data: presentActeur(await restoreActeur(db, caller, params.id)) }),
  )

  acteursDecisionRoutes(scope, { db })
}
