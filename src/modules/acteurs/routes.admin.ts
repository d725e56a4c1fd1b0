import type { SignedInScope } from '../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../platform/http/paging.ts'
import { record } from '../../platform/http/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { countActeurs, getActeur, listActeurs } from './queries.ts'
import { acteursDecisionRoutes } from './routes.decisions.ts'
import { createActeur, deleteActeur, restoreActeur, updateActeur } from './rules.ts'
import { Acteur, ActeurCreate, ActeursQuery, ActeurUpdate, ById } from './schema.ts'

export function acteursAdminRoutes(scope: SignedInScope, { db, clock }: Pick<Deps, 'db' | 'clock'>): void {
  scope.get(
    '/admin/acteurs',
    {
      schema: {
        operationId: 'listActeurs',
        summary: 'Acteurs, newest first',
        querystring: ActeursQuery,
        response: { 200: Page(Acteur) },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, adminPerPage)
      const [rows, total] = await Promise.all([listActeurs(db, query, paging), countActeurs(db, query)])
      return page(rows, total, paging)
    },
  )

  scope.post(
    '/admin/acteurs',
    {
      schema: {
        operationId: 'createActeur',
        summary: 'Create an acteur, not yet validated',
        body: ActeurCreate,
        response: { 201: record(Acteur) },
      },
    },
    async ({ body, caller }, reply) => reply.code(201).send({ data: await createActeur(db, caller, body) }),
  )

  scope.get(
    '/admin/acteurs/:id',
    {
      schema: {
        operationId: 'getActeur',
        summary: 'Read an acteur, also a deleted one',
        params: ById,
        response: { 200: record(Acteur) },
      },
    },
    async ({ params }) => ({ data: await getActeur(db, params.id) }),
  )

  scope.patch(
    '/admin/acteurs/:id',
    {
      config: { refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'updateActeur',
        summary: 'Update what an acteur says of itself; its slug stays',
        params: ById,
        body: ActeurUpdate,
        response: { 200: record(Acteur) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await updateActeur(db, caller, params.id, body),
    }),
  )

  scope.delete(
    '/admin/acteurs/:id',
    {
      config: { refusals: ['precondition_failed'] },
      schema: {
        operationId: 'deleteActeur',
        summary: 'Delete an acteur so that it can be restored; what it published is no longer public',
        params: ById,
        response: { 200: record(Acteur) },
      },
    },
    async ({ params, caller }) => ({
      data: await deleteActeur(db, caller, params.id, clock()),
    }),
  )

  scope.delete(
    '/admin/acteurs/:id/restore',
    {
      config: { refusals: ['precondition_failed'] },
      schema: {
        operationId: 'restoreActeur',
        summary: 'Restore a deleted acteur, with what it published',
        params: ById,
        response: { 200: record(Acteur) },
      },
    },
    async ({ params, caller }) => ({ data: await restoreActeur(db, caller, params.id) }),
  )

  acteursDecisionRoutes(scope, { db })
}
