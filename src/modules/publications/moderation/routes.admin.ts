import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { optionalBody, record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById } from '../schema.ts'
import { bulkRoutes, keepRoute } from './bulk.ts'
import { distinguishRoute } from './distinguish.ts'
import * as rules from './rules.ts'
import * as schema from './schema.ts'

const answer = { 200: record(schema.DecidedPublication) }
const refusals = ['conflict', 'precondition_failed']

export function moderationAdminRoutes(scope: SignedInScope, tools: Deps): void {
  bulkRoutes(scope, tools)
  distinguishRoute(scope, tools)
  keepRoute(scope, tools)
  decisionRoutes(scope, tools)
}

/** Routes for decisions on one publication. */
function decisionRoutes(scope: SignedInScope, tools: Deps): void {
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
        body: optionalBody(schema.ReportsClosing),
        response: answer,
      },
    },
    async ({ params, body, caller }) => ({
      data: await rules.closeReportsOf(tools, caller, params.id, body),
    }),
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
    async ({ params, body, caller }) => {
      const trigger = { do: 'valide' as const, ...(body && { valide: body.valide }) }
      const as = { central: true, ground: body?.ground, reason: body?.reason }
      return { data: await rules.decide(tools, caller, params.id, trigger, as) }
    },
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
        querystring: schema.Deletion,
        response: answer,
      },
    },
    async ({ params, query, caller }) => ({
      data: await rules.decide(tools, caller, params.id, { do: 'delete' }, { central: true, ...query }),
    }),
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
