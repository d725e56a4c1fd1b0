import type { User } from '../../platform/access/caller.ts'
import { leftOf, withCanOf } from '../../platform/access/rules.ts'
import type { Database } from '../../platform/database/connect.ts'
import { ApiError } from '../../platform/errors.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { adminPerPage, Page } from '../../platform/http/listing/paging.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { requireMairieOfCommune, requirePublicBody } from '../acteurs/mairies.ts'
import { DeletedQuery, DeletedRecord, deletedList } from '../deletions/deleted.ts'
import { alerteRules } from './permissions.ts'
import { alertesOf, getAlerte, type Owner } from './queries.ts'
import { createAlerte, deleteAlerteOf, restoreAlerteOf, updateAlerteOf } from './rules.ts'
import {
  AlerteCreate,
  AlerteOfActeurCreate,
  AlerteOfActeurUpdate,
  AlertesQuery,
  AlerteUpdate,
  alerteActions,
  ByActeur,
  ByCommune,
  ManagedAlerte,
  OfActeur,
  OfCommune,
  provisional,
  ReadAlerte,
} from './schema.ts'

const guarded = { needs: 'alerte.manage', limit: 'alert' }
export const updating = { audits: 'alerte.update', refusals: ['precondition_failed'] }
export const deleting = { audits: 'alerte.delete', refusals: ['precondition_failed'] }
export const restoring = { audits: 'alerte.restore' }

/** The paths, parameters and texts that differ by the owner of the alerts. */
type Texts = { path: string; name: 'Commune' | 'Acteur'; owner: string; create: string }
type Params = {
  ByOwner: typeof ByCommune | typeof ByActeur
  OfOwner: typeof OfCommune | typeof OfActeur
}
type Bodies = {
  Create: typeof AlerteCreate | typeof AlerteOfActeurCreate
  Update: typeof AlerteUpdate | typeof AlerteOfActeurUpdate
}

export const alertesOfCommuneRoutes = (scope: SignedInScope, deps: Deps) =>
  ownerRoutes(scope, deps, {
    path: '/mairie/communes/:communeId/alertes',
    name: 'Commune',
    owner: 'a commune',
    create: 'Alert the people of a commune',
    ByOwner: ByCommune,
    OfOwner: OfCommune,
    Create: AlerteCreate,
    Update: AlerteUpdate,
  })

export const alertesOfActeurRoutes = (scope: SignedInScope, deps: Deps) =>
  ownerRoutes(scope, deps, {
    path: '/mairie/acteurs/:acteurId/alertes',
    name: 'Acteur',
    owner: 'a mairie, or of the acteur of a group',
    create: 'Alert in the name of a mairie, or of a group for all its members or some',
    ByOwner: ByActeur,
    OfOwner: OfActeur,
    Create: AlerteOfActeurCreate,
    Update: AlerteOfActeurUpdate,
  })

const ownerOf = (params: { communeId: string } | { acteurId: string }): Owner =>
  'communeId' in params ? { commune_id: params.communeId } : { acteur_id: params.acteurId }

const withCan = withCanOf(alerteActions)

/** Returns the actions on alerts of this owner that the user may perform, by the check that guards the routes. */
async function canOf(db: Database, user: User, owner: Owner): Promise<(keyof typeof alerteActions)[]> {
  try {
    if ('commune_id' in owner) await requireMairieOfCommune(db, user, owner.commune_id, alerteRules.manage)
    else await requirePublicBody(db, user, owner.acteur_id, alerteRules.manage)
    return leftOf(alerteActions, owner)
  } catch (error) {
    if (error instanceof ApiError && error.kind.status === 403) return []
    throw error
  }
}

function ownerRoutes(
  scope: SignedInScope,
  deps: Deps,
  { path, name, owner, create, ByOwner, OfOwner, Create, Update }: Texts & Params & Bodies,
): void {
  const { reads, lists, clock } = deps
  scope.get(
    path,
    {
      schema: {
        ...provisional,
        operationId: `list${name}Alertes`,
        summary: `Alerts of ${owner}, newest first`,
        params: ByOwner,
        querystring: AlertesQuery,
        response: { 200: Page(ReadAlerte) },
      },
    },
    async ({ params, query, caller }) => {
      const owner = ownerOf(params)
      const [page, can] = await Promise.all([
        numberedPage(lists, alertesOf, { ...query, ...owner }, adminPerPage),
        canOf(lists, caller.user, owner),
      ])
      return { ...page, data: page.data.map((row) => ({ ...row, can })) }
    },
  )

  scope.post(
    path,
    {
      config: { ...guarded, audits: 'alerte.create', location: `${path}/{id}` },
      schema: {
        ...provisional,
        operationId: `create${name}Alerte`,
        summary: create,
        params: ByOwner,
        body: Create,
        response: { 201: record(ManagedAlerte) },
      },
    },
    async ({ params, body, caller }, reply) =>
      reply
        .code(201)
        .send({ data: withCan(await createAlerte(deps, caller, ownerOf(params), body, clock())) }),
  )

  scope.get(
    `${path}/:id`,
    {
      schema: {
        ...provisional,
        operationId: `get${name}Alerte`,
        summary: `Read an alert of ${owner}, in force or not`,
        params: OfOwner,
        response: { 200: record(ReadAlerte) },
      },
    },
    async ({ params, caller }) => {
      const owner = ownerOf(params)
      const [alerte, can] = await Promise.all([
        getAlerte(reads, owner, params.id),
        canOf(reads, caller.user, owner),
      ])
      return { data: { ...alerte, can } }
    },
  )

  scope.patch(
    `${path}/:id`,
    {
      config: { ...updating, ...guarded },
      schema: {
        ...provisional,
        operationId: `update${name}Alerte`,
        summary: `Correct, extend or end an alert of ${owner}`,
        params: OfOwner,
        body: Update,
        response: { 200: record(ManagedAlerte) },
      },
    },
    async ({ params, body, caller }) => ({
      data: withCan(await updateAlerteOf(deps, caller, ownerOf(params), params.id, body, clock())),
    }),
  )

  deletingRoutes(scope, deps, { path, name, owner, ByOwner, OfOwner })
}

/** Routes that delete alerts, list those that can be restored, and restore them. */
function deletingRoutes(
  scope: SignedInScope,
  { db, lists }: Deps,
  { path, name, owner, ByOwner, OfOwner }: Omit<Texts, 'create'> & Params,
): void {
  scope.delete(
    `${path}/:id`,
    {
      config: { ...deleting, ...guarded },
      schema: {
        ...provisional,
        operationId: `delete${name}Alerte`,
        summary: `Delete an alert of ${owner}; the response shows it as it last was`,
        params: OfOwner,
        response: { 200: record(ManagedAlerte) },
      },
    },
    async ({ params, caller }) => ({
      data: { ...(await deleteAlerteOf(db, caller, ownerOf(params), params.id)), can: [] },
    }),
  )

  scope.get(
    `${path}/deleted`,
    {
      schema: {
        ...provisional,
        operationId: `listDeleted${name}Alertes`,
        summary: `Deleted alerts of ${owner} that can be restored, the latest first`,
        params: ByOwner,
        querystring: DeletedQuery,
        response: { 200: Page(DeletedRecord) },
      },
    },
    async ({ params, query, caller }) => {
      const owner = ownerOf(params)
      const [page, can] = await Promise.all([
        numberedPage(lists, deletedList, { ...query, ...owner, kind: ['alerte' as const] }, adminPerPage),
        canOf(lists, caller.user, owner),
      ])
      return {
        ...page,
        data: page.data.map((row) => ({ ...row, can: can.length > 0 ? ['restore' as const] : [] })),
      }
    },
  )

  scope.patch(
    `${path}/:id/restore`,
    {
      config: { ...restoring, ...guarded },
      schema: {
        ...provisional,
        operationId: `restore${name}Alerte`,
        summary: `Restore a deleted alert of ${owner} as it was; what had not left then is sent`,
        params: OfOwner,
        response: { 200: record(ManagedAlerte) },
      },
    },
    async ({ params, caller }) => ({
      data: withCan(await restoreAlerteOf(db, caller, ownerOf(params), params.id)),
    }),
  )
}
