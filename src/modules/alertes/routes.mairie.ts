import type { Database } from '../../platform/database/connect.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../platform/http/paging.ts'
import { record } from '../../platform/http/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { countAlertes, listAlertes, type Owner } from './queries.ts'
import { createAlerte } from './rules.ts'
import { Alerte, AlerteCreate, AlertesQuery, ByActeur, ByCommune, provisional } from './schema.ts'

const creating = { audits: 'alerte.create', limit: 'alert' }

export function alertesOfCommuneRoutes(scope: SignedInScope, { db, clock }: Deps): void {
  scope.get(
    '/mairie/communes/:communeId/alertes',
    {
      schema: {
        ...provisional,
        operationId: 'listCommuneAlertes',
        summary: 'Alerts of a commune, newest first',
        params: ByCommune,
        querystring: AlertesQuery,
        response: { 200: Page(Alerte) },
      },
    },
    async ({ params, query }) => listPage(db, { commune_id: params.communeId }, query),
  )

  scope.post(
    '/mairie/communes/:communeId/alertes',
    {
      config: creating,
      schema: {
        ...provisional,
        operationId: 'createCommuneAlerte',
        summary: 'Alert the people of a commune',
        params: ByCommune,
        body: AlerteCreate,
        response: { 201: record(Alerte) },
      },
    },
    async ({ params, body, caller }, reply) => {
      const owner = { commune_id: params.communeId }
      return reply.code(201).send({ data: await createAlerte(db, caller, owner, body, clock()) })
    },
  )
}

export function alertesOfActeurRoutes(scope: SignedInScope, { db, clock }: Deps): void {
  scope.get(
    '/mairie/acteurs/:acteurId/alertes',
    {
      schema: {
        ...provisional,
        operationId: 'listActeurAlertes',
        summary: 'Alerts of a mairie, newest first',
        params: ByActeur,
        querystring: AlertesQuery,
        response: { 200: Page(Alerte) },
      },
    },
    async ({ params, query }) => listPage(db, { acteur_id: params.acteurId }, query),
  )

  scope.post(
    '/mairie/acteurs/:acteurId/alertes',
    {
      config: creating,
      schema: {
        ...provisional,
        operationId: 'createActeurAlerte',
        summary: 'Alert in the name of a mairie',
        params: ByActeur,
        body: AlerteCreate,
        response: { 201: record(Alerte) },
      },
    },
    async ({ params, body, caller }, reply) => {
      const owner = { acteur_id: params.acteurId }
      return reply.code(201).send({ data: await createAlerte(db, caller, owner, body, clock()) })
    },
  )
}

async function listPage(db: Database, owner: Owner, query: AlertesQuery) {
  const paging = pagingOf(query, adminPerPage)
  const [rows, total] = await Promise.all([listAlertes(db, owner, paging), countAlertes(db, owner)])
  return page(rows, total, paging)
}
