import { settingsOf } from '../../platform/config.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { record } from '../../platform/http/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { claimsSettings } from '../claims/settings.ts'
import { todayInParis } from './calendar.ts'
import { listParts } from './parts.ts'
import { presentFull } from './present.ts'
import { countOfCommune, findMairie, getCommune } from './queries.admin.ts'
import { findMairieContact } from './queries.ts'
import { createCommune, updateCommune } from './rules.ts'
import { CommuneCreate, CommuneFull, CommuneUpdate } from './schema.admin.ts'
import { ById } from './schema.ts'

export function communesAdminRoutes(scope: SignedInScope, { config, db, clock }: Deps): void {
  const { ttlDays } = settingsOf(config, claimsSettings)

  scope.post(
    '/admin/communes',
    {
      config: { refusals: ['conflict', 'slug_taken'] },
      schema: {
        operationId: 'createCommune',
        summary: 'Create a commune',
        body: CommuneCreate,
        response: { 201: record(CommuneFull) },
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
      config: { refusals: ['conflict', 'slug_taken', 'precondition_failed'] },
      schema: {
        operationId: 'updateCommune',
        summary: 'Update a commune; sub-lists that are given are replaced whole',
        params: ById,
        body: CommuneUpdate,
        response: { 200: record(CommuneFull) },
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
      schema: {
        operationId: 'getCommuneFull',
        summary: 'All there is of a commune',
        params: ById,
        response: { 200: record(CommuneFull) },
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
        counts: await countOfCommune(tx, id, ttlDays),
        today: todayInParis(clock()),
      })
    })
  }
}
