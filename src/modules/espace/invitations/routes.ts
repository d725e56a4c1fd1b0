import Type from 'typebox'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { Id, record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { Invitation } from '../schema.ts'
import { acceptInvitation, declineInvitation } from './rules.ts'

const guarded = { needs: 'own.change', limit: 'edit', refusals: ['precondition_failed'] }

const ById = Type.Object({ id: Id('Identifier of the invitation') })

/** The invitations of the signed-in user, which `GET /me` lists. */
export function invitationRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.post(
    '/me/invitations/:id/accept',
    {
      config: { ...guarded, audits: 'acteur.member_join' },
      schema: {
        operationId: 'acceptInvitation',
        summary: 'Join the team of an acteur; the response shows the invitation as it last was',
        params: ById,
        response: { 200: record(Invitation) },
      },
    },
    async ({ params, caller }) => ({ data: await acceptInvitation(db, caller, params.id) }),
  )

  scope.delete(
    '/me/invitations/:id',
    {
      config: { ...guarded, audits: 'acteur.invitation_decline' },
      schema: {
        operationId: 'declineInvitation',
        summary: 'Decline an invitation to a team; the response shows it as it last was',
        params: ById,
        response: { 200: record(Invitation) },
      },
    },
    async ({ params, caller }) => ({ data: await declineInvitation(db, caller, params.id) }),
  )
}
