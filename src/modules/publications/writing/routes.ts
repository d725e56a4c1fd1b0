import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { publicationsModerateRoutes } from '../moderation/routes.ts'
import { presentManaged } from '../present.ts'
import { getPublication } from '../reading/queries.ts'
import { ById, ManagedPublication } from '../schema.ts'
import { createPublication, deletePublication, editPublication } from './rules.ts'
import { PublicationCreateAs, PublicationUpdate } from './schema.ts'

export function publicationsBearerRoutes(scope: SignedInScope, { db }: Pick<Deps, 'db'>): void {
  scope.post(
    '/publications',
    {
      config: { limit: 'create', refusals: ['forbidden'] },
      schema: {
        operationId: 'createPublication',
        summary: 'Publish in the name of an acteur; pending unless the acteur may publish',
        body: PublicationCreateAs,
        response: { 201: record(ManagedPublication) },
      },
    },
    async ({ body, caller }, reply) => {
      const id = await createPublication(db, caller, body)
      return reply.code(201).send({ data: await managed(id) })
    },
  )

  scope.patch(
    '/publications/:id',
    {
      config: { refusals: ['forbidden', 'precondition_failed'] },
      schema: {
        operationId: 'editPublication',
        summary: 'Change content or pin; new content of an acteur that may not publish is pending again',
        params: ById,
        body: PublicationUpdate,
        response: { 200: record(ManagedPublication) },
      },
    },
    async ({ params, body, caller }) => {
      await editPublication(db, caller, params.id, body)
      return { data: await managed(params.id) }
    },
  )

  scope.delete(
    '/publications/:id',
    {
      config: { refusals: ['forbidden', 'precondition_failed'] },
      schema: {
        operationId: 'deletePublication',
        summary: 'Delete; an administrator can restore it',
        params: ById,
        response: { 200: record(ManagedPublication) },
      },
    },
    async ({ params, caller }) => {
      await deletePublication(db, caller, params.id)
      return { data: await managed(params.id) }
    },
  )

  publicationsModerateRoutes(scope, { db })

  const managed = async (id: string) => presentManaged(await getPublication(db, id))
}
