import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { list, record } from '../../../platform/http/validation/schemas.ts'
import type { RouteDeps } from '../../../platform/module.ts'
import { getUser } from '../../users/queries.ts'
import { User } from '../../users/schema.ts'
import { resetFactors } from '../factors/rules.ts'
import { FactorsReset } from '../factors/schema.ts'
import { ByUserId, Device, EndedDevices, InvitationBody } from '../schema.ts'
import { endAllOf, listDevices } from '../sessions/rules.ts'
import { inviteUser } from './rules.ts'

/** Routes for administrators: invite users, sign out their devices, reset their factors. */
export function signInAdminRoutes(scope: SignedInScope, deps: RouteDeps): void {
  const { db, reads } = deps

  scope.post(
    '/admin/users',
    {
      config: {
        refusals: ['conflict'],
        audits: 'user.invite',
        location: '/admin/users/{id}',
        confirms: ({ body }) => ((body as InvitationBody).roles ?? []).length > 0,
      },
      schema: {
        operationId: 'inviteUser',
        summary: 'Invite somebody: makes their account, and sends one mail that leads to sign-in',
        body: InvitationBody,
        response: { 201: record(User) },
      },
    },
    async ({ body, caller }, reply) => reply.code(201).send({ data: await inviteUser(deps, caller, body) }),
  )

  scope.get(
    '/admin/users/:userId/sessions',
    {
      schema: {
        operationId: 'listUserDevices',
        summary: "List a user's sessions, last used first; at most 100",
        params: ByUserId,
        response: { 200: list(Device) },
      },
    },
    async ({ params, caller, session }) => {
      await getUser(reads, params.userId)
      return { data: await listDevices(reads, caller, params.userId, session) }
    },
  )

  scope.delete(
    '/admin/users/:userId/sessions',
    {
      config: { audits: 'session.end', confirms: true },
      schema: {
        operationId: 'signOutUser',
        summary: 'Sign a user out everywhere',
        params: ByUserId,
        response: { 200: record(EndedDevices) },
      },
    },
    async ({ params, caller }) => ({ data: { ended: await endAllOf(db, caller, params.userId) } }),
  )

  scope.post(
    '/admin/users/:userId/factors/reset',
    {
      config: { audits: 'user.factors_reset', confirms: true, refusals: ['conflict'] },
      schema: {
        operationId: 'resetUserFactors',
        summary: 'Remove every second factor of a user, and sign them out: for somebody who lost a phone',
        params: ByUserId,
        response: { 200: record(FactorsReset) },
      },
    },
    async ({ params, caller }) => ({ data: await resetFactors(deps, caller, params.userId) }),
  )
}
