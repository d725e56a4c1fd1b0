import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../../platform/http/paging.ts'
import { record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { countManaged, listManaged } from '../lists/queries.ts'
import * as schema from '../lists/schema.ts'
import { presentListed } from '../present.admin.ts'
import { presentManaged } from '../present.ts'
import { getPublication } from '../reading/queries.ts'
import { ById, ManagedPublication } from '../schema.ts'
import { moderateBulk } from './bulk.ts'
import * as moderation from './rules.ts'

const managed = { 200: record(ManagedPublication) }

export function publicationsAdminRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.get(
    '/admin/publications',
    {
      schema: {
        operationId: 'listManagedPublications',
        summary: 'Publications in every state; filters combine',
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
      schema: {
        operationId: 'getManagedPublication',
        summary: 'One publication, in whatever state',
        params: ById,
        response: managed,
      },
    },
    async ({ params }) => ({ data: presentManaged(await getPublication(db, params.id)) }),
  )

  scope.delete(
    '/admin/publications/:id',
    {
      config: { refusals: ['precondition_failed'] },
      schema: {
        operationId: 'deleteManagedPublication',
        summary: 'Delete a publication; it can be restored',
        params: ById,
        response: managed,
      },
    },
    async ({ params, caller }) => ({
      data: presentManaged(await moderation.removePublication(db, caller, params.id)),
    }),
  )

  scope.patch(
    '/admin/publications/:id/restore',
    {
      config: { refusals: ['precondition_failed'] },
      schema: {
        operationId: 'restorePublication',
        summary: 'Restore a deleted publication as it was',
        params: ById,
        response: managed,
      },
    },
    async ({ params, caller }) => ({
      data: presentManaged(await moderation.restorePublication(db, caller, params.id)),
    }),
  )

  decisionRoutes(scope, { db })
}

function decisionRoutes(scope: SignedInScope, { db }: Pick<Deps, 'db'>): void {
  scope.patch(
    '/admin/publications/bulk/moderate',
    {
      config: { limit: 'moderate' },
      schema: {
        operationId: 'moderatePublications',
        summary: 'One decision on up to a hundred publications, all or nothing',
        body: schema.BulkModeration,
        response: { 200: schema.BulkAnswer },
      },
    },
    async ({ body, caller }) => moderateBulk(db, caller, body),
  )

  scope.patch(
    '/admin/publications/:id/moderate',
    {
      config: { limit: 'moderate', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'moderateManagedPublication',
        summary: 'Decide on a publication',
        params: ById,
        body: schema.Moderation,
        response: managed,
      },
    },
    async ({ params, body, caller }) => ({
      data: presentManaged(await moderation.moderatePublication(db, caller, params.id, body, 'admin')),
    }),
  )

  scope.patch(
    '/admin/publications/:id/valide',
    {
      config: { limit: 'moderate', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'validatePublication',
        summary: 'Validate, which publishes, or invalidate; without a body it toggles',
        params: ById,
        body: schema.Valide,
        response: managed,
      },
    },
    async ({ params, body, caller }) => ({
      data: presentManaged(await moderation.setValide(db, caller, params.id, body?.valide)),
    }),
  )

  scope.patch(
    '/admin/publications/:id/feature',
    {
      config: { refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'featurePublication',
        summary: 'Feature a publication, for good or up to a time; or stop featuring it',
        params: ById,
        body: schema.Feature,
        response: managed,
      },
    },
    async ({ params, body, caller }) => ({
      data: presentManaged(await moderation.featurePublication(db, caller, params.id, body)),
    }),
  )
}
