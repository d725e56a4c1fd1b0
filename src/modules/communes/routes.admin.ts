import type { Deps } from '../../platform/deps.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { one } from '../../platform/http/schemas.ts'
import { todayInParis } from './calendar.ts'
import { listParts } from './parts.ts'
import { presentFull } from './present.ts'
import { countOfCommune, findMairie, getCommune } from './queries.admin.ts'
import { findMairieContact } from './queries.ts'
import { createCommune, updateCommune } from './rules.ts'
import { CommuneCreate, CommuneFull, CommuneUpdate } from './schema.admin.ts'
import { ById } from './schema.ts'

const tags = ['communes']

export function communesAdminRoutes(scope: HttpServer, { config, db, clock }: Deps): void {
  scope.post(
    '/admin/communes',
    {
      config: { area: 'communes', refusals: ['conflict', 'slug_taken'] },
      schema: {
        operationId: 'createCommune',
        summary: 'Create a commune',
        tags,
        body: CommuneCreate,
        response: { 201: one(CommuneFull) },
      },
    },
    async ({ body, caller }, reply) => {
      const id = await createCommune(db, caller, body)
      return reply.code(201).send({ data: await full(id) })
    },
  )

  scope.patch(
    '/admin/communes/:id',
    {
      config: { area: 'communes', refusals: ['conflict', 'slug_taken', 'precondition_failed'] },
      schema: {
        operationId: 'updateCommune',
        summary: 'Update a commune; sub-lists that are given are replaced whole',
        tags,
        params: ById,
        body: CommuneUpdate,
        response: { 200: one(CommuneFull) },
      },
    },
    async ({ params, body, caller }) => {
      await updateCommune(db, caller, params.id, body)
      return { data: await full(params.id) }
    },
  )

  scope.get(
    '/admin/communes/:id/full',
    {
      config: { area: 'communes' },
      schema: {
        operationId: 'getCommuneFull',
        summary: 'All there is of a commune',
        tags,
        params: ById,
        response: { 200: one(CommuneFull) },
      },
    },
    async ({ params }) => ({ data: await full(params.id) }),
  )

  /** All of one moment: with parts older than its version, If-Match would overwrite what its caller never saw. */
  function full(id: string) {
    const moment = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
    return moment.execute(async (tx) => {
      return presentFull({
        commune: await getCommune(tx, id),
        ...(await listParts(tx, id)),
        mairie: await findMairie(tx, id),
        contact: await findMairieContact(tx, id),
        counts: await countOfCommune(tx, id, config.claims.ttlDays),
        today: todayInParis(clock()),
      })
    })
  }
}
