import type { Deps } from '../../platform/deps.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../platform/http/paging.ts'
import { one } from '../../platform/http/schemas.ts'
import { moderateBulk } from './bulk-moderation.ts'
import * as moderation from './moderation.ts'
import { presentListed } from './present.admin.ts'
import { presentManaged } from './present.ts'
import { countManaged, listManaged } from './queries.admin.ts'
import { getPublication } from './queries.ts'
import { signedIn } from './reach.ts'
import * as schema from './schema.admin.ts'
import { ById, ManagedPublication } from './schema.ts'

const tags = ['publications']
const area = 'publications'
const managed = { 200: one(ManagedPublication) }

export function publicationsAdminRoutes(scope: HttpServer, { db }: Deps): void {
  scope.get(
    '/admin/publications',
    {
      config: { area },
      schema: {
        operationId: 'listManagedPublications',
        summary: 'Publications in every state; filters combine',
        tags,
        querystring: schema.AdminQuery,
        response: { 200: Page(schema.ListedPublication) },
      },
    },
    async ({ query }) => {
      const paging = pagingOf(query, adminPerPage)
      const [rows, total] = await Promise.all([listManaged(db, query, paging), countManaged(db, query)])
      return page(rows.map(presentListed), total, paging)
    },
  )

  scope.get(
    '/admin/publications/:id',
    {
      config: { area },
      schema: {
        operationId: 'getManagedPublication',
        summary: 'One publication, in whatever state',
        tags,
        params: ById,
        response: managed,
      },
    },
    async ({ params }) => ({ data: presentManaged(await getPublication(db, params.id)) }),
  )

  scope.delete(
    '/admin/publications/:id',
    {
      config: { area, refusals: ['precondition_failed'] },
      schema: {
        operationId: 'deleteManagedPublication',
        summary: 'Delete a publication; it can be restored',
        tags,
        params: ById,
        response: managed,
      },
    },
    async ({ params, caller }) => ({
      data: presentManaged(await moderation.removePublication(db, signedIn(caller), params.id)),
    }),
  )

  scope.patch(
    '/admin/publications/:id/restore',
    {
      config: { area, refusals: ['precondition_failed'] },
      schema: {
        operationId: 'restorePublication',
        summary: 'Restore a deleted publication as it was',
        tags,
        params: ById,
        response: managed,
      },
    },
    async ({ params, caller }) => ({
      data: presentManaged(await moderation.restorePublication(db, signedIn(caller), params.id)),
    }),
  )

  decisionRoutes(scope, { db })
}

function decisionRoutes(scope: HttpServer, { db }: Pick<Deps, 'db'>): void {
  scope.patch(
    '/admin/publications/bulk/moderate',
    {
      config: { area, limit: 'moderate' },
      schema: {
        operationId: 'moderatePublications',
        summary: 'One decision on up to a hundred publications, all or nothing',
        tags,
        body: schema.BulkModeration,
        response: { 200: schema.BulkAnswer },
      },
    },
    async ({ body, caller }) => moderateBulk(db, signedIn(caller), body),
  )

  scope.patch(
    '/admin/publications/:id/moderate',
    {
      config: { area, limit: 'moderate', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'moderateManagedPublication',
        summary: 'Decide on a publication',
        tags,
        params: ById,
        body: schema.Moderation,
        response: managed,
      },
    },
    async ({ params, body, caller }) => ({
      data: presentManaged(
        await moderation.moderatePublication(db, signedIn(caller), params.id, body, 'admin'),
      ),
    }),
  )

  scope.patch(
    '/admin/publications/:id/valide',
    {
      config: { area, limit: 'moderate', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'validatePublication',
        summary: 'Validate, which publishes, or invalidate; without a body it toggles',
        tags,
        params: ById,
        body: schema.Valide,
        response: managed,
      },
    },
    async ({ params, body, caller }) => ({
      data: presentManaged(await moderation.setValide(db, signedIn(caller), params.id, body?.valide)),
    }),
  )

  scope.patch(
    '/admin/publications/:id/feature',
    {
      config: { area, refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'featurePublication',
        summary: 'Feature a publication, for good or up to a time; or stop featuring it',
        tags,
        params: ById,
        body: schema.Feature,
        response: managed,
      },
    },
    async ({ params, body, caller }) => ({
      data: presentManaged(await moderation.featurePublication(db, signedIn(caller), params.id, body)),
    }),
  )
}
