import type { SignedInScope } from '../../platform/http/http-server.ts'
import { numberedPage } from '../../platform/http/listing/list-page.ts'
import { adminPerPage, Page } from '../../platform/http/listing/paging.ts'
import { record } from '../../platform/http/validation/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { alertesOf, getAlerte } from './queries.ts'
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

export function alertesOfCommuneRoutes(scope: SignedInScope, { db, reads, lists, clock }: Deps): void {
  scope.get(
    '/mairie/communes/:communeId/alertes',
    {
      schema: {
        ...provisional,
        operationId: 'listCommuneAlertes',
        summary: 'Alerts of a commune, newest first',
        params: ByCommune,
        querystring: AlertesQuery,
        response: { 200: Page(ManagedAlerte) },
      },
    },
    async ({ params, query }) =>
      numberedPage(lists, alertesOf, { ...query, commune_id: params.communeId }, adminPerPage),
  )

  scope.post(
    '/mairie/communes/:communeId/alertes',
    {
      config: { ...guarded, audits: 'alerte.create', location: '/mairie/communes/:communeId/alertes/{id}' },
      schema: {
        ...provisional,
        operationId: 'createCommuneAlerte',
        summary: 'Alert the people of a commune',
        params: ByCommune,
        body: AlerteCreate,
        response: { 201: record(ManagedAlerte) },
      },
    },
    async ({ params, body, caller }, reply) => {
      const owner = { commune_id: params.communeId }
      return reply.code(201).send({ data: await createAlerte(db, caller, owner, body, clock()) })
    },
  )

  scope.get(
    '/mairie/communes/:communeId/alertes/:id',
    {
      schema: {
        ...provisional,
        operationId: 'getCommuneAlerte',
        summary: 'Read an alert of a commune, in force or not',
        params: OfCommune,
        response: { 200: record(ManagedAlerte) },
      },
    },
    async ({ params }) => ({ data: await getAlerte(reads, { commune_id: params.communeId }, params.id) }),
  )

  scope.patch(
    '/mairie/communes/:communeId/alertes/:id',
    {
      config: { ...updating, ...guarded },
      schema: {
        ...provisional,
        operationId: 'updateCommuneAlerte',
        summary: 'Correct, extend or end an alert of a commune',
        params: OfCommune,
        body: AlerteUpdate,
        response: { 200: record(ManagedAlerte) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await updateAlerteOf(db, caller, { commune_id: params.communeId }, params.id, body),
    }),
  )

  scope.delete(
    '/mairie/communes/:communeId/alertes/:id',
    {
      config: { ...deleting, ...guarded },
      schema: {
        ...provisional,
        operationId: 'deleteCommuneAlerte',
        summary: 'Delete an alert of a commune; the response shows it as it last was',
        params: OfCommune,
        response: { 200: record(ManagedAlerte) },
      },
    },
    async ({ params, caller }) => ({
      data: await deleteAlerteOf(db, caller, { commune_id: params.communeId }, params.id),
    }),
  )
}

export function alertesOfActeurRoutes(scope: SignedInScope, { db, reads, lists, clock }: Deps): void {
  scope.get(
    '/mairie/acteurs/:acteurId/alertes',
    {
      schema: {
        ...provisional,
        operationId: 'listActeurAlertes',
        summary: 'Alerts of a mairie, newest first',
        params: ByActeur,
        querystring: AlertesQuery,
        response: { 200: Page(ManagedAlerte) },
      },
    },
    async ({ params, query }) =>
      numberedPage(lists, alertesOf, { ...query, acteur_id: params.acteurId }, adminPerPage),
  )

  scope.post(
    '/mairie/acteurs/:acteurId/alertes',
    {
      config: { ...guarded, audits: 'alerte.create', location: '/mairie/acteurs/:acteurId/alertes/{id}' },
      schema: {
        ...provisional,
        operationId: 'createActeurAlerte',
        summary: 'Alert in the name of a mairie',
        params: ByActeur,
        body: AlerteCreate,
        response: { 201: record(ManagedAlerte) },
      },
    },
    async ({ params, body, caller }, reply) => {
      const owner = { acteur_id: params.acteurId }
      return reply.code(201).send({ data: await createAlerte(db, caller, owner, body, clock()) })
    },
  )

  scope.get(
    '/mairie/acteurs/:acteurId/alertes/:id',
    {
      schema: {
        ...provisional,
        operationId: 'getActeurAlerte',
        summary: 'Read an alert of a mairie, in force or not',
        params: OfActeur,
        response: { 200: record(ManagedAlerte) },
      },
    },
    async ({ params }) => ({ data: await getAlerte(reads, { acteur_id: params.acteurId }, params.id) }),
  )

  scope.patch(
    '/mairie/acteurs/:acteurId/alertes/:id',
    {
      config: { ...updating, ...guarded },
      schema: {
        ...provisional,
        operationId: 'updateActeurAlerte',
        summary: 'Correct, extend or end an alert of a mairie',
        params: OfActeur,
        body: AlerteUpdate,
        response: { 200: record(ManagedAlerte) },
      },
    },
    async ({ params, body, caller }) => ({
      data: await updateAlerteOf(db, caller, { acteur_id: params.acteurId }, params.id, body),
    }),
  )

  scope.delete(
    '/mairie/acteurs/:acteurId/alertes/:id',
    {
      config: { ...deleting, ...guarded },
      schema: {
        ...provisional,
        operationId: 'deleteActeurAlerte',
        summary: 'Delete an alert of a mairie; the response shows it as it last was',
        params: OfActeur,
        response: { 200: record(ManagedAlerte) },
      },
    },
    async ({ params, caller }) => ({
      data: await deleteAlerteOf(db, caller, { acteur_id: params.acteurId }, params.id),
    }),
  )
}
