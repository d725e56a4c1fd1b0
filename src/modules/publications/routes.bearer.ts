import type { Deps } from '../../platform/deps.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { one } from '../../platform/http/schemas.ts'
import { presentManaged } from './present.ts'
import { getPublication } from './queries.ts'
import { signedIn } from './reach.ts'
import { ById, ManagedPublication } from './schema.ts'
import { PublicationCreateAs, PublicationUpdate } from './schema.writing.ts'
import { createPublication, deletePublication, editPublication } from './writing.ts'

const tags = ['publications']

export function publicationsBearerRoutes(scope: HttpServer, { db }: Pick<Deps, 'db'>): void {
  scope.post(
    '/publications',
    {
      config: { limit: 'create', refusals: ['forbidden'] },
      schema: {
        operationId: 'createPublication',
        summary: 'Publish in the name of an acteur; pending unless the acteur may publish',
        tags,
        body: PublicationCreateAs,
        response: { 201: one(ManagedPublication) },
      },
    },
    async ({ body, caller }, reply) => {
      const id = await createPublication(db, signedIn(caller), body)
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
        tags,
        params: ById,
        body: PublicationUpdate,
        response: { 200: one(ManagedPublication) },
      },
    },
    async ({ params, body, caller }) => {
      await editPublication(db, signedIn(caller), params.id, body)
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
        tags,
        params: ById,
        response: { 200: one(ManagedPublication) },
      },
    },
    async ({ params, caller }) => {
      await deletePublication(db, signedIn(caller), params.id)
      return { data: await managed(params.id) }
    },
  )

  const managed = async (id: string) => presentManaged(await getPublication(db, id))
}
