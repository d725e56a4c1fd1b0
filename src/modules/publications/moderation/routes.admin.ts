import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById, ManagedPublication } from '../schema.ts'
import { moderateBulk } from './bulk.ts'
import * as rules from './rules.ts'
import * as schema from './schema.ts'

const answer = { 200: record(ManagedPublication) }
const refusals = ['conflict', 'precondition_failed']

export function moderationAdminRoutes(scope: SignedInScope, { db }: Pick<Deps, 'db'>): void {
  scope.patch(
    '/admin/publications/bulk/moderate',
    {
      config: { audits: 'publication.moderate', limit: 'moderate' },
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
      config: { audits: 'publication.moderate', limit: 'moderate', refusals },
      schema: {
        operationId: 'moderateManagedPublication',
        summary: 'Decide on a publication',
        params: ById,
        body: schema.Moderation,
        response: answer,
      },
    },
    async ({ params, body, caller }) => ({
      data: await rules.moderateInBackOffice(db, caller, params.id, body),
    }),
  )

  scope.patch(
    '/admin/publications/:id/valide',
    {
      config: { audits: 'publication.valide', limit: 'moderate', refusals },
      schema: {
        operationId: 'validatePublication',
        summary: 'Validate, which publishes, or invalidate; without a body it toggles',
        params: ById,
        body: schema.Valide,
        response: answer,
      },
    },
    async ({ params, body, caller }) => ({
      data: await rules.setValide(db, caller, params.id, body?.valide),
    }),
  )

  scope.patch(
    '/admin/publications/:id/feature',
    {
      config: { audits: 'publication.feature', refusals },
      schema: {
        operationId: 'featurePublication',
        summary: 'Feature a publication, for good or up to a time; or stop featuring it',
        params: ById,
        body: schema.Feature,
        response: answer,
      },
    },
    async ({ params, body, caller }) => ({
      data: await rules.featurePublication(db, caller, params.id, body),
    }),
  )

  scope.delete(
    '/admin/publications/:id',
    {
      config: { audits: 'publication.delete', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'deleteManagedPublication',
        summary: 'Delete a publication; it can be restored',
        params: ById,
        response: answer,
      },
    },
    async ({ params, caller }) => ({ data: await rules.removePublication(db, caller, params.id) }),
  )

  scope.patch(
    '/admin/publications/:id/restore',
    {
      config: { audits: 'publication.restore', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'restorePublication',
        summary: 'Restore a deleted publication as it was',
        params: ById,
        response: answer,
      },
    },
    async ({ params, caller }) => ({ data: await rules.restorePublication(db, caller, params.id) }),
  )
}
