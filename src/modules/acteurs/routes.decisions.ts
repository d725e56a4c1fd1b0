import type { SignedInScope } from '../../platform/http/http-server.ts'
import { record } from '../../platform/http/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { decideActeur } from './rules.ts'
import { Acteur, ActiveBody, BadgeBody, ById, CanPublishBody, ValidateBody } from './schema.ts'

const config = { refusals: ['conflict', 'precondition_failed'] }

/** What an administrator decides of an acteur. */
export function acteursDecisionRoutes(scope: SignedInScope, { db }: Pick<Deps, 'db'>): void {
  scope.patch(
    '/admin/acteurs/:id/validate',
    {
      config,
      schema: {
        operationId: 'validateActeur',
        summary: 'Validate an acteur, or take its validation back',
        params: ById,
        body: ValidateBody,
        response: { 200: record(Acteur) },
      },
    },
    async ({ params, body, caller }) => {
      const { valide = true } = body ?? {}
      return { data: await decideActeur(db, caller, params.id, 'validate', { valide }) }
    },
  )

  scope.patch(
    '/admin/acteurs/:id/badge',
    {
      config,
      schema: {
        operationId: 'setActeurBadge',
        summary: 'Set the badge of an acteur, or remove it',
        params: ById,
        body: BadgeBody,
        response: { 200: record(Acteur) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await decideActeur(db, caller, params.id, 'badge', body),
    }),
  )

  scope.patch(
    '/admin/acteurs/:id/active',
    {
      config,
      schema: {
        operationId: 'setActeurActive',
        summary: 'Activate or deactivate an acteur; what an inactive one published is not public',
        params: ById,
        body: ActiveBody,
        response: { 200: record(Acteur) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await decideActeur(db, caller, params.id, 'active', body),
    }),
  )

  scope.post(
    '/admin/acteurs/:id/can-publish',
    {
      config,
      schema: {
        operationId: 'setActeurCanPublish',
        summary: 'Grant or revoke the right to publish without moderation',
        params: ById,
        body: CanPublishBody,
        response: { 200: record(Acteur) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await decideActeur(db, caller, params.id, 'can_publish', body),
    }),
  )
}
