import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../../platform/http/paging.ts'
import { record } from '../../../platform/http/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { moderatePublication } from '../moderation/rules.ts'
import { presentListed } from '../present.admin.ts'
import { presentManaged } from '../present.ts'
import { listForMairie } from '../queries.mairie.ts'
import { getPublication } from '../reading/queries.ts'
import { ByMairie, ByMairieAndId, MairieQuery } from '../schema.mairie.ts'
import { ManagedPublication } from '../schema.ts'
import { createPublication } from '../writing/rules.ts'
import { PublicationCreate } from '../writing/schema.ts'
import { ListedPublication, Moderation } from './schema.ts'

export function publicationsMairieRoutes(scope: SignedInScope, { db }: Pick<Deps, 'db'>): void {
  scope.get(
    '/mairie/acteurs/:acteurId/publications',
    {
      schema: {
        operationId: 'listMairiePublications',
        summary: 'What a mairie has written, in every state, and what it may supervise',
        params: ByMairie,
        querystring: MairieQuery,
        response: { 200: Page(ListedPublication) },
      },
    },
    async ({ params, query, caller }) => {
      const paging = pagingOf(query, adminPerPage)
      const list = {
        mairieId: params.acteurId,
        filters: query,
        communeIds: caller.source?.communeIds ?? null,
      }
      const { rows, total } = await listForMairie(db, list, paging)
      return page(rows.map(presentListed), total, paging)
    },
  )

  scope.post(
    '/mairie/acteurs/:acteurId/publications',
    {
      config: { limit: 'create', refusals: ['forbidden'] },
      schema: {
        operationId: 'createMairiePublication',
        summary: 'Publish in the name of a mairie; pending unless it may publish',
        params: ByMairie,
        body: PublicationCreate,
        response: { 201: record(ManagedPublication) },
      },
    },
    async ({ params, body, caller }, reply) => {
      const id = await createPublication(db, caller, { ...body, acteur_id: params.acteurId })
      return reply.code(201).send({ data: presentManaged(await getPublication(db, id)) })
    },
  )

  scope.patch(
    '/mairie/acteurs/:acteurId/publications/:publicationId/moderate',
    {
      config: { limit: 'moderate', refusals: ['precondition_failed'] },
      schema: {
        operationId: 'moderateMairiePublication',
        summary: 'Decide on what a mairie has written or may supervise',
        params: ByMairieAndId,
        body: Moderation,
        response: { 200: record(ManagedPublication) },
      },
    },
    async ({ params: { acteurId, publicationId }, body, caller }) => {
      const row = await moderatePublication(db, caller, publicationId, body, 'mairie', acteurId)
      return { data: presentManaged(row) }
    },
  )
}
