import type { Database } from '../../platform/database/connect.ts'
import type { SignedInScope } from '../../platform/http/http-server.ts'
import { adminPerPage, Page, page, pagingOf } from '../../platform/http/paging.ts'
import { record } from '../../platform/http/schemas.ts'
import type { Deps } from '../../platform/module.ts'
import { presentAlerte } from './present.ts'
import { listAlertes, type Owner } from './queries.ts'
import { createAlerte } from './rules.ts'
import { Alerte, AlerteCreate, ByActeur, ByCommune, ListQuery } from './schema.ts'

const provisional = {
  description: 'Provisional: this may still change without notice.',
  'x-provisional': true,
}
const lists = { ...provisional, querystring: ListQuery, response: { 200: Page(Alerte) } }
const creates = { ...provisional, body: AlerteCreate, response: { 201: record(Alerte) } }

export function alertesOfCommuneRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.get(
    '/mairie/communes/:communeId/alertes',
    {
      schema: {
        ...lists,
        operationId: 'listCommuneAlertes',
        summary: 'Alerts of a commune, newest first',
        params: ByCommune,
      },
    },
    async ({ params, query }) => listPage(db, { commune_id: params.communeId }, query),
  )

  scope.post(
    '/mairie/communes/:communeId/alertes',
    {
      config: { limit: 'alert' },
      schema: {
        ...creates,
        operationId: 'createCommuneAlerte',
        summary: 'Alert the people of a commune',
        params: ByCommune,
      },
    },
    async ({ params, body, caller }, reply) => {
      const alerte = await createAlerte(db, caller, { commune_id: params.communeId }, body)
      return reply.code(201).send({ data: presentAlerte(alerte) })
    },
  )
}

export function alertesOfActeurRoutes(scope: SignedInScope, { db }: Deps): void {
  scope.get(
    '/mairie/acteurs/:acteurId/alertes',
    {
      schema: {
        ...lists,
        operationId: 'listActeurAlertes',
        summary: 'Alerts of a mairie, newest first',
        params: ByActeur,
      },
    },
    async ({ params, query }) => listPage(db, { acteur_id: params.acteurId }, query),
  )

  scope.post(
    '/mairie/acteurs/:acteurId/alertes',
    {
      config: { limit: 'alert' },
      schema: {
        ...creates,
        operationId: 'createActeurAlerte',
        summary: 'Alert in the name of a mairie',
        params: ByActeur,
      },
    },
    async ({ params, body, caller }, reply) => {
      const alerte = await createAlerte(db, caller, { acteur_id: params.acteurId }, body)
      return reply.code(201).send({ data: presentAlerte(alerte) })
    },
  )
}

async function listPage(db: Database, owner: Owner, query: { page?: number; per_page?: number }) {
  const paging = pagingOf(query, adminPerPage)
  const { rows, total } = await listAlertes(db, owner, paging)
  return page(rows.map(presentAlerte), total, paging)
}
