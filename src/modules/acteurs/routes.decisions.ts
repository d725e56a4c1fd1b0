import type { Deps } from '../../platform/deps.ts'
import type { ErrorCode } from '../../platform/errors.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { one } from '../../platform/http/schemas.ts'
import { presentActeur } from './present.ts'
import { decideActeur } from './rules.ts'
import { Acteur, ActiveBody, BadgeBody, ById, CanPublishBody, ValidateBody } from './schema.ts'

const tags = ['acteurs']
const refusals: ErrorCode[] = ['conflict', 'precondition_failed']
const config = { area: 'acteurs', refusals } as const

/** What an administrator decides of an acteur. */
export function acteursDecisionRoutes(scope: HttpServer, { db }: Pick<Deps, 'db'>): void {
  scope.patch(
    '/admin/acteurs/:id/validate',
    {
      config,
      schema: {
        operationId: 'validateActeur',
        summary: 'Validate an acteur, or take its validation back',
        tags,
        params: ById,
        body: ValidateBody,
        response: { 200: one(Acteur) },
      },
    },
    async ({ params, body, caller }) => {
      const { valide = true } = body ?? {}
      return { data: presentActeur(await decideActeur(db, caller, params.id, 'validate', { valide })) }
    },
  )

  scope.patch(
    '/admin/acteurs/:id/badge',
    {
      config,
      schema: {
        operationId: 'setActeurBadge',
        summary: 'Set the badge of an acteur, or remove it',
        tags,
        params: ById,
        body: BadgeBody,
        response: { 200: one(Acteur) },
      },
    },
    async ({ params, body, caller }) => ({
      data: presentActeur(await decideActeur(db, caller, params.id, 'badge', body)),
    }),
  )

  scope.patch(
    '/admin/acteurs/:id/active',
    {
      config,
      schema: {
        operationId: 'setActeurActive',
        summary: 'Activate or deactivate an acteur; what an inactive one published is not public',
        tags,
        params: ById,
        body: ActiveBody,
        response: { 200: one(Acteur) },
      },
    },
    async ({ params, body, caller }) => ({
      data: presentActeur(await decideActeur(db, caller, params.id, 'active', body)),
    }),
  )

  scope.post(
    '/admin/acteurs/:id/can-publish',
    {
      config,
      schema: {
        operationId: 'setActeurCanPublish',
        summary: 'Grant or revoke the right to publish without moderation',
        tags,
        params: ById,
        body: CanPublishBody,
        response: { 200: one(Acteur) },
      },
    },
    async ({ params, body, caller }) => ({
      data: presentActeur(await decideActeur(db, caller, params.id, 'can_publish', body)),
    }),
  )
}
