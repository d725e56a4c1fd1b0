import type { SignedInScope } from '../../platform/http/http-server.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { adminPerPage, Page } from '../../platform/http/listing/paging.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { alertesOf, getAlerte, type Owner } from './queries.ts'
import { createAlerte, deleteAlerteOf, updateAlerteOf } from './rules.ts'
import {
  AlerteCreate,
  AlertesQuery,
  AlerteUpdate,
  ByActeur,
  ByCommune,
  ManagedAlerte,
  OfActeur,
  OfCommune,
  provisional,
} from './schema.ts'

const guarded = { needs: 'alerte.manage', limit: 'alert' }
export const updating = { audits: 'alerte.update', refusals: ['precondition_failed'] }
export const deleting = { audits: 'alerte.delete', refusals: ['precondition_failed'] }

/** The paths, parameters and texts that differ by the owner of the alerts. */
type Texts = { path: string; name: 'Commune' | 'Acteur'; owner: string; create: string }
type Params = {
  ByOwner: typeof ByCommune | typeof ByActeur
  OfOwner: typeof OfCommune | typeof OfActeur
}

export const alertesOfCommuneRoutes = (scope: SignedInScope, deps: Deps) =>
  ownerRoutes(scope, deps, {
    path: '/mairie/communes/:communeId/alertes',
    name: 'Commune',
    owner: 'a commune',
    create: 'Alert the people of a commune',
    ByOwner: ByCommune,
    OfOwner: OfCommune,
  })

export const alertesOfActeurRoutes = (scope: SignedInScope, deps: Deps) =>
  ownerRoutes(scope, deps, {
    path: '/mairie/acteurs/:acteurId/alertes',
    name: 'Acteur',
    owner: 'a mairie',
    create: 'Alert in the name of a mairie',
    ByOwner: ByActeur,
    OfOwner: OfActeur,
  })

const ownerOf = (params: { communeId: string } | { acteurId: string }): Owner =>
  'communeId' in params ? { commune_id: params.communeId } : { acteur_id: params.acteurId }

function ownerRoutes(
  scope: SignedInScope,
  deps: Deps,
  { path, name, owner, create, ByOwner, OfOwner }: Texts & Params,
): void {
  const { db, reads, lists, clock } = deps
  scope.get(
    path,
    {
      schema: {
        ...provisional,
        operationId: `list${name}Alertes`,
        summary: `Alerts of ${owner}, newest first`,
        params: ByOwner,
        querystring: AlertesQuery,
        response: { 200: Page(ManagedAlerte) },
      },
    },
    async ({ params, query }) =>
      numberedPage(lists, alertesOf, { ...query, ...ownerOf(params) }, adminPerPage),
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
        body: AlerteCreate,
        response: { 201: record(ManagedAlerte) },
      },
    },
    async ({ params, body, caller }, reply) =>
      reply.code(201).send({ data: await createAlerte(deps, caller, ownerOf(params), body, clock()) }),
  )

  scope.get(
    `${path}/:id`,
    {
      schema: {
        ...provisional,
        operationId: `get${name}Alerte`,
        summary: `Read an alert of ${owner}, in force or not`,
        params: OfOwner,
        response: { 200: record(ManagedAlerte) },
      },
    },
    async ({ params }) => ({ data: await getAlerte(reads, ownerOf(params), params.id) }),
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
        body: AlerteUpdate,
        response: { 200: record(ManagedAlerte) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await updateAlerteOf(deps, caller, ownerOf(params), params.id, body, clock()),
    }),
  )

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
      data: await deleteAlerteOf(db, caller, ownerOf(params), params.id),
    }),
  )
}
