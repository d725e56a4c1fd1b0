import type { SignedIn } from '../../../platform/access/caller.ts'
import type { Database } from '../../../platform/database/connect.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { numberedPage } from '../../../platform/http/listing/list-page.ts'
import { adminPerPage, Page } from '../../../platform/http/listing/paging.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { DeletedQuery, DeletedRecord, deletedList } from '../../deletions/deleted.ts'
import { canEdit } from '../can-edit.ts'
import { communeRules, mayEditFor, requireInScope, requireStillTheirs } from '../permissions.ts'
import { ByCommune } from '../schema.ts'
import { readForMairie, readInOneMoment } from './full.ts'
import { DeletedOfCommune, kindsOfCommune, restoreRow } from './restoring.ts'
import { updateCommune } from './rules.ts'
import { CommuneOfMairie, CommuneOfMairieUpdate } from './schema.ts'

/** The routes by which a mairie reads and changes its commune, by the rules of the back-office. */
export function communeOfMairieRoutes(scope: SignedInScope, { db, reads, lists, clock }: Deps): void {
  const readFor = (caller: SignedIn) => (tx: Database, commune: { id: string }) =>
    readForMairie(tx, commune.id, { now: clock(), mayEdit: mayEditFor(caller) })

  scope.get(
    '/mairie/communes/:communeId',
    {
      schema: {
        operationId: 'getCommuneOfMairie',
        summary: 'Read the commune of a mairie with its élus, collections and practical information',
        params: ByCommune,
        response: { 200: record(CommuneOfMairie) },
      },
    },
    async ({ params, caller }) => {
      requireInScope(caller, params.communeId)
      return { data: await readInOneMoment(reads, (tx) => readFor(caller)(tx, { id: params.communeId })) }
    },
  )

  scope.patch(
    '/mairie/communes/:communeId',
    {
      config: {
        needs: communeRules.editForMairie.name,
        audits: 'commune.update',
        limit: { name: 'edit', sparesAdmins: true },
        refusals: ['precondition_failed', 'alt_required'],
      },
      schema: {
        operationId: 'updateCommuneOfMairie',
        summary:
          'Replace practical information, collections or élus of a commune, each list whole; its name as it is shown, colour, coat of arms and photo',
        params: ByCommune,
        body: CommuneOfMairieUpdate,
        response: { 200: record(CommuneOfMairie) },
      },
    },
    async ({ params, body, caller }) => {
      requireInScope(caller, params.communeId)
      return {
        data: await updateCommune(db, caller, params.communeId, body, readFor(caller), (_tx, commune) =>
          requireStillTheirs(caller, commune.mairie_actor_id),
        ),
      }
    },
  )

  scope.get(
    '/mairie/communes/:communeId/deleted',
    {
      schema: {
        operationId: 'listDeletedOfCommune',
        summary:
          'Deleted collections, élus and information of a commune that can be restored, the latest first',
        params: ByCommune,
        querystring: DeletedQuery,
        response: { 200: Page(DeletedRecord) },
      },
    },
    async ({ params: { communeId }, query, caller }) => {
      requireInScope(caller, communeId)
      const asked = { ...query, commune_id: communeId, kind: [...kindsOfCommune] }
      const [page, isEditor] = await Promise.all([
        numberedPage(lists, deletedList, asked, adminPerPage),
        canEdit(lists, caller, communeId),
      ])
      return {
        ...page,
        data: page.data.map((row) => ({ ...row, can: isEditor ? ['restore' as const] : [] })),
      }
    },
  )

  scope.patch(
    '/mairie/communes/:communeId/deleted/:id/restore',
    {
      config: {
        needs: communeRules.editForMairie.name,
        audits: 'commune.restore',
        limit: { name: 'edit', sparesAdmins: true },
        refusals: ['conflict', 'precondition_failed'],
      },
      schema: {
        operationId: 'restoreOfCommune',
        summary: 'Restore a deleted collection, élu or information of a commune at its place',
        description: '409: its list is full.',
        params: DeletedOfCommune,
        response: { 200: record(CommuneOfMairie) },
      },
    },
    async ({ params, caller }) => {
      requireInScope(caller, params.communeId)
      return {
        data: await restoreRow(db, caller, params, readFor(caller), (_tx, commune) =>
          requireStillTheirs(caller, commune.mairie_actor_id),
        ),
      }
    },
  )
}
