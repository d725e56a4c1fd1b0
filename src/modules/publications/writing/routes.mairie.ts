import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ByMairie, MemberPublication } from '../schema.ts'
import { readableAt } from './routes.ts'
import { createForMairie } from './rules.ts'
import { PublicationCreate } from './schema.ts'

export function writingMairieRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.post(
    '/mairie/acteurs/:acteurId/publications',
    {
      config: {
        audits: 'publication.create',
        needs: 'publication.create',
        limit: 'create',
        refusals: ['forbidden', 'alt_required'],
        location: ({ caller, params }) => readableAt(caller, (params as { acteurId: string }).acteurId),
      },
      schema: {
        operationId: 'createMairiePublication',
        summary: 'Publish in the name of a mairie, at once or when it is due; pending unless it may publish',
        params: ByMairie,
        body: PublicationCreate,
        response: { 201: record(MemberPublication) },
      },
    },
    async ({ params, body, caller }, reply) => {
      return reply.code(201).send({ data: await createForMairie(db, caller, params.acteurId, body) })
    },
  )
}
