import type { Caller } from '../../../platform/access/caller.ts'
import { isMember } from '../../../platform/access/rules.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { Deletion } from '../moderation/schema.ts'
import { ById, MemberPublication } from '../schema.ts'
import { createPublication, deletePublication, editPublication, restorePublication } from './rules.ts'
import { PublicationCreateAs, PublicationUpdate } from './schema.ts'

/** Returns the path at which the caller can read a publication of this acteur in every state. */
export const readableAt = ({ user }: Caller, acteurId: string): string =>
  user !== null && isMember(user, acteurId) ? '/me/publications/{id}' : '/admin/publications/{id}'

export function writingRoutes(scope: SignedInScope, { db, jobs }: Deps): void {
  scope.post(
    '/publications',
    {
      config: {
        audits: 'publication.create',
        needs: 'publication.create',
        limit: 'create',
        refusals: ['forbidden', 'alt_required'],
        location: (request) => {
          const { acteur_id } = request.body as { acteur_id: string }
          return readableAt(request.caller, acteur_id)
        },
      },
      schema: {
        operationId: 'createPublication',
        summary:
          'Publish in the name of an acteur, at once or when it is due; pending unless the acteur may publish',
        body: PublicationCreateAs,
        response: { 201: record(MemberPublication) },
      },
    },
    async ({ body: { acteur_id, ...body }, caller }, reply) => {
      return reply.code(201).send({ data: await createPublication(db, caller, acteur_id, body) })
    },
  )

  scope.patch(
    '/publications/:id',
    {
      config: {
        audits: 'publication.update',
        needs: ['publication.edit', 'publication.pin'],
        limit: { name: 'edit', sparesAdmins: true },
        refusals: ['forbidden', 'precondition_failed', 'alt_required'],
      },
      schema: {
        operationId: 'editPublication',
        summary: 'Change content or pin; new content of an acteur that may not publish is pending again',
        params: ById,
        body: PublicationUpdate,
        response: { 200: record(MemberPublication) },
      },
    },
    async ({ params, body, caller }) => ({ data: await editPublication(db, caller, params.id, body) }),
  )

  scope.delete(
    '/publications/:id',
    {
      config: {
        audits: 'publication.delete',
        needs: 'publication.delete',
        limit: { name: 'edit', sparesAdmins: true },
        refusals: ['forbidden', 'precondition_failed'],
      },
      schema: {
        operationId: 'deletePublication',
        summary: 'Delete; whoever can delete it can restore it for 30 days',
        description:
          'An administrator who is no member of the acteur decides, as in the back-office: the author gets a statement of reasons, with the ground and reason. A member needs neither.',
        params: ById,
        querystring: Deletion,
        response: { 200: record(MemberPublication) },
      },
    },
    async ({ params, query, caller }) => ({
      data: await deletePublication({ db, jobs }, caller, params.id, query),
    }),
  )

  scope.patch(
    '/publications/:id/restore',
    {
      config: {
        audits: 'publication.restore',
        needs: 'publication.delete',
        limit: { name: 'edit', sparesAdmins: true },
        refusals: ['forbidden', 'precondition_failed'],
      },
      schema: {
        operationId: 'restoreMyPublication',
        summary: 'Restore as it was what members of the acteur deleted in the last 30 days',
        params: ById,
        response: { 200: record(MemberPublication) },
      },
    },
    async ({ params, caller }) => ({ data: await restorePublication({ db, jobs }, caller, params.id) }),
  )
}
