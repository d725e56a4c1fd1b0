import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById, ManagedPublication } from '../schema.ts'
import { createPublication, deletePublication, editPublication } from './rules.ts'
import { PublicationCreateAs, PublicationUpdate } from './schema.ts'

export function writingRoutes(scope: SignedInScope, { db }: Pick<Deps, 'db'>): void {
  scope.post(
    '/publications',
    {
      config: {
        audits: 'publication.create',
        needs: 'Owner of the acteur, or `manage_publications`',
        limit: 'create',
        refusals: ['forbidden'],
      },
      schema: {
        operationId: 'createPublication',
        summary:
          'Publish in the name of an acteur, at once or when it is due; pending unless the acteur may publish',
        body: PublicationCreateAs,
        response: { 201: record(ManagedPublication) },
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
        needs: 'Owner of the acteur, or `manage_publications` for content and `publish_publications` to pin',
        limit: 'edit',
        sparesAdmins: true,
        refusals: ['forbidden', 'precondition_failed'],
      },
      schema: {
        operationId: 'editPublication',
        summary: 'Change content or pin; new content of an acteur that may not publish is pending again',
        params: ById,
        body: PublicationUpdate,
        response: { 200: record(ManagedPublication) },
      },
    },
    async ({ params, body, caller }) => ({ data: await editPublication(db, caller, params.id, body) }),
  )

  scope.delete(
    '/publications/:id',
    {
      config: {
        audits: 'publication.delete',
        needs: 'Owner of the acteur, or `manage_publications`',
        limit: 'edit',
        sparesAdmins: true,
        refusals: ['forbidden', 'precondition_failed'],
      },
      schema: {
        operationId: 'deletePublication',
        summary: 'Delete; an administrator can restore it',
        params: ById,
        response: { 200: record(ManagedPublication) },
      },
    },
    async ({ params, caller }) => ({ data: await deletePublication(db, caller, params.id) }),
  )
}
