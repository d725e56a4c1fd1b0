import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../schema.ts'
import { closeReportsBulk, deleteBulk, featureBulk, keepOne, moderateBulk, restoreBulk } from './bulk.ts'
import { distinguish } from './distinguish.ts'
import * as rules from './rules.ts'
import * as schema from './schema.ts'

const answer = { 200: record(schema.DecidedPublication) }
const refusals = ['conflict', 'precondition_failed']

export function moderationAdminRoutes(scope: SignedInScope, tools: Deps): void {
  scope.patch(
    '/admin/publications/bulk/moderate',
    {
      config: { audits: 'publication.moderate', limit: 'moderate', refusals: ['alt_required'] },
      schema: {
        operationId: 'moderatePublications',
        summary: 'One decision on up to a hundred publications, all or nothing',
        body: schema.BulkModeration,
        response: { 200: schema.BulkResponse },
      },
    },
    async ({ body, caller }) => moderateBulk(tools, caller, body),
  )

  scope.patch(
    '/admin/publications/bulk/delete',
    {
      config: { audits: 'publication.delete', limit: 'moderate' },
      schema: {
        operationId: 'deletePublications',
        summary: 'Delete up to a hundred publications; they can be restored',
        body: schema.BulkIds,
        response: { 200: schema.BulkResponse },
      },
    },
    async ({ body, caller }) => deleteBulk(tools, caller, body),
  )

  scope.patch(
    '/admin/publications/bulk/restore',
    {
      config: { audits: 'publication.restore', limit: 'moderate' },
      schema: {
        operationId: 'restorePublications',
        summary: 'Restore up to a hundred deleted publications as they were',
        body: schema.BulkIds,
        response: { 200: schema.BulkResponse },
      },
    },
    async ({ body, caller }) => restoreBulk(tools, caller, body),
  )

  scope.patch(
    '/admin/publications/bulk/feature',
    {
      config: { audits: 'publication.feature', limit: 'moderate' },
      schema: {
        operationId: 'featurePublications',
        summary: 'Feature up to a hundred publications, or stop featuring them',
        body: schema.BulkFeature,
        response: { 200: schema.BulkResponse },
      },
    },
    async ({ body, caller }) => featureBulk(tools, caller, body),
  )

  scope.patch(
    '/admin/publications/bulk/close-reports',
    {
      config: { audits: 'publication.close_reports', limit: 'moderate' },
      schema: {
        operationId: 'closeReportsOfPublications',
        summary: 'Close the open reports of up to a hundred publications without deciding on them',
        description: '`updated`: its reports were closed. `unchanged`: it had none.',
        body: schema.BulkIds,
        response: { 200: schema.BulkResponse },
      },
    },
    async ({ body, caller }) => closeReportsBulk(tools, caller, body),
  )

  scope.patch(
    '/admin/publications/bulk/distinguish',
    {
      config: { audits: 'publication.distinguish', limit: 'moderate', refusals: ['not_found', 'conflict'] },
      schema: {
        operationId: 'distinguishPublications',
        summary:
          'Settle a group of suspected duplicates: they are none; a publication that joins brings it back',
        body: schema.Distinguish,
        response: { 200: schema.BulkResponse },
      },
    },
    async ({ body, caller }) => distinguish(tools, caller, body),
  )

  scope.post(
    '/admin/publications/:id/keep',
    {
      config: { audits: 'publication.keep', limit: 'moderate', refusals: ['conflict', 'alt_required'] },
      schema: {
        operationId: 'keepPublication',
        summary: 'Publish one of a group of duplicates and reject the others, all or nothing',
        params: ById,
        body: schema.Keep,
        response: { 200: schema.BulkResponse },
      },
    },
    async ({ params, body, caller }) => keepOne(tools, caller, params.id, body),
  )

  scope.post(
    '/admin/publications/:id/reports/close',
    {
      config: {
        audits: 'publication.close_reports',
        limit: 'moderate',
        refusals: ['conflict', 'precondition_failed'],
      },
      schema: {
        operationId: 'closePublicationReports',
        summary: 'Close the open reports of a publication without deciding on it',
        params: ById,
        response: answer,
      },
    },
    async ({ params, caller }) => ({ data: await rules.closeReportsOf(tools, caller, params.id) }),
  )

  scope.patch(
    '/admin/publications/:id/moderate',
    {
      config: { audits: 'publication.moderate', limit: 'moderate', refusals: [...refusals, 'alt_required'] },
      schema: {
        operationId: 'moderateManagedPublication',
        summary: 'Decide on a publication',
        params: ById,
        body: schema.Moderation,
        response: answer,
      },
    },
    async ({ params, body, caller }) => ({
      data: await rules.moderate(tools, caller, params.id, body, { central: true }),
    }),
  )

  scope.patch(
    '/admin/publications/:id/valide',
    {
      config: {
        audits: 'publication.valide',
        limit: 'moderate',
        refusals: [...refusals, 'alt_required'],
        repeatable: true,
      },
      schema: {
        operationId: 'validatePublication',
        summary:
          'Validate, which publishes, or invalidate; without a body it toggles, and then takes an `Idempotency-Key`',
        params: ById,
        body: schema.Valide,
        response: answer,
      },
    },
    async ({ params, body, caller }) => ({
      data: await rules.decide(tools, caller, params.id, { do: 'valide', ...body }),
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
      data: await rules.featurePublication(tools, caller, params.id, body),
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
    async ({ params, caller }) => ({ data: await rules.decide(tools, caller, params.id, { do: 'delete' }) }),
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
    async ({ params, caller }) => ({ data: await rules.decide(tools, caller, params.id, { do: 'restore' }) }),
  )
}
