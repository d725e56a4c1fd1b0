import { withCanOf } from '../../platform/access/rules.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../platform/http/listing/list-page.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { DeletedRecord, deletedActions, deletedList, ManagedDeletedQuery } from '../deletions/deleted.ts'
import { alertesList, getListedAlerte } from './queries.ts'
import { deleting, restoring, updating } from './routes.mairie.ts'
import { deleteAlerteOf, restoreAlerteOf, updateAlerteOf } from './rules.ts'
import {
  AlertesAdminQuery,
  AlerteUpdate,
  alerteActions,
  ById,
  ListedAlerte,
  ManagedAlerte,
  provisional,
} from './schema.ts'

const withCan = withCanOf(alerteActions)

export function alertesAdminRoutes(scope: SignedInScope, deps: Deps): void {
  const { db, reads, lists, clock } = deps
  scope.get(
    '/admin/alertes',
    {
      schema: {
        ...provisional,
        operationId: 'listAlertes',
        summary: 'Alerts of all communes and mairies, newest first',
        querystring: AlertesAdminQuery,
        response: { 200: ListPage(ListedAlerte) },
      },
    },
    async ({ query }) => listPage(lists, alertesList(clock()), query, (rows) => rows.map(withCan)),
  )

  scope.get(
    '/admin/alertes/:id',
    {
      schema: {
        ...provisional,
        operationId: 'getAlerte',
        summary: 'Read an alert',
        params: ById,
        response: { 200: record(ListedAlerte) },
      },
    },
    async ({ params }) => ({ data: withCan(await getListedAlerte(reads, params.id, clock())) }),
  )

  scope.patch(
    '/admin/alertes/:id',
    {
      config: updating,
      schema: {
        ...provisional,
        operationId: 'updateAlerte',
        summary: 'Correct, extend or end an alert',
        params: ById,
        body: AlerteUpdate,
        response: { 200: record(ManagedAlerte) },
      },
    },
    async ({ params, body, caller }) => ({
      data: withCan(await updateAlerteOf(deps, caller, null, params.id, body, clock())),
    }),
  )

  scope.delete(
    '/admin/alertes/:id',
    {
      config: deleting,
      schema: {
        ...provisional,
        operationId: 'deleteAlerte',
        summary: 'Delete an alert; the response shows it as it last was',
        params: ById,
        response: { 200: record(ManagedAlerte) },
      },
    },
    async ({ params, caller }) => ({
      data: { ...(await deleteAlerteOf(db, caller, null, params.id)), can: [] },
    }),
  )

  scope.get(
    '/admin/alertes/deleted',
    {
      schema: {
        ...provisional,
        operationId: 'listDeletedAlertes',
        summary: 'Deleted alerts that can be restored, the latest first',
        querystring: ManagedDeletedQuery,
        response: { 200: ListPage(DeletedRecord) },
      },
    },
    async ({ query }) =>
      listPage(lists, deletedList, { ...query, kind: ['alerte'] }, (rows) =>
        rows.map(withCanOf(deletedActions)),
      ),
  )

  scope.patch(
    '/admin/alertes/:id/restore',
    {
      config: restoring,
      schema: {
        ...provisional,
        operationId: 'restoreAlerte',
        summary: 'Restore a deleted alert as it was; what had not left then is sent',
        params: ById,
        response: { 200: record(ManagedAlerte) },
      },
    },
    async ({ params, caller }) => ({ data: withCan(await restoreAlerteOf(db, caller, null, params.id)) }),
  )
}
