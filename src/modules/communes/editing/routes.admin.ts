import { withCanOf } from '../../../platform/access/rules.ts'
import { settingsOf } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { requireRow } from '../../../platform/database/require-row.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../../platform/http/listing/list-page.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { claimsSettings } from '../../claims/settings.ts'
import { DeletedRecord, deletedActions, deletedList, ManagedDeletedQuery } from '../../deletions/deleted.ts'
import { listPresent } from '../../presence/queries.ts'
import { ById } from '../schema.ts'
import { readFull, readInOneMoment } from './full.ts'
import { DeletedOfCommune, kindsOfCommune, restoreRow } from './restoring.ts'
import { createCommune, updateCommune } from './rules.ts'
import { CommuneCreate, CommuneFull, CommuneRead, CommuneUpdate } from './schema.ts'

export function editingRoutes(scope: SignedInScope, { config, db, reads, lists, clock }: Deps): void {
  const { ttlDays: claimTtlDays } = settingsOf(config, claimsSettings)
  const read = (tx: Database, { id }: { id: string }) => readFull(tx, id, { now: clock(), claimTtlDays })

  scope.post(
    '/admin/communes',
    {
      config: {
        audits: 'commune.create',
        refusals: ['conflict', 'slug_taken'],
        location: '/admin/communes/{id}/full',
      },
      schema: {
        operationId: 'createCommune',
        summary: 'Create a commune',
        body: CommuneCreate,
        response: { 201: record(CommuneFull) },
      },
    },
    async ({ body, caller }, reply) =>
      reply.code(201).send({ data: await createCommune(db, caller, body, read) }),
  )

  scope.patch(
    '/admin/communes/:id',
    {
      config: {
        audits: 'commune.update',
        refusals: ['conflict', 'slug_taken', 'precondition_failed', 'alt_required'],
      },
      schema: {
        operationId: 'updateCommune',
        summary: 'Update a commune; sub-lists that are given are replaced whole',
        params: ById,
        body: CommuneUpdate,
        response: { 200: record(CommuneFull) },
      },
    },
    async ({ params, body, caller }) => ({ data: await updateCommune(db, caller, params.id, body, read) }),
  )

  scope.get(
    '/admin/communes/:id/full',
    {
      schema: {
        operationId: 'getCommuneFull',
        summary: 'All there is of a commune',
        params: ById,
        response: { 200: record(CommuneRead) },
      },
    },
    async ({ params, caller }) => {
      const [commune, present] = await Promise.all([
        readInOneMoment(reads, (tx) => read(tx, params)),
        listPresent(reads, caller, { kind: 'commune', id: params.id }),
      ])
      return { data: { ...commune, present } }
    },
  )

  scope.get(
    '/admin/communes/:id/deleted',
    {
      schema: {
        operationId: 'listDeletedOfManagedCommune',
        summary:
          'Deleted collections, élus and information of a commune that can be restored, the latest first',
        params: ById,
        querystring: ManagedDeletedQuery,
        response: { 200: ListPage(DeletedRecord) },
      },
    },
    async ({ params, query }) => {
      const asked = { ...query, commune_id: params.id, kind: [...kindsOfCommune] }
      const [page] = await Promise.all([
        listPage(lists, deletedList, asked, (rows) => rows.map(withCanOf(deletedActions))),
        requireRow(lists, 'communes', params.id),
      ])
      return page
    },
  )

  scope.patch(
    '/admin/communes/:communeId/deleted/:id/restore',
    {
      config: { audits: 'commune.restore', refusals: ['conflict', 'precondition_failed'] },
      schema: {
        operationId: 'restoreOfManagedCommune',
        summary: 'Restore a deleted collection, élu or information of a commune at its place',
        description: '409: its list is full.',
        params: DeletedOfCommune,
        response: { 200: record(CommuneFull) },
      },
    },
    async ({ params, caller }) => ({ data: await restoreRow(db, caller, params, read) }),
  )
}
