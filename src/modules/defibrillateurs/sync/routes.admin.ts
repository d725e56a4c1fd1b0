import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../../platform/http/listing/list-page.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { syncsOf } from './queries.ts'
import { requestSync } from './rules.ts'
import { ByCommune, Started, Sync, SyncQuery, SyncsQuery } from './schema.ts'

export function syncRoutes(scope: SignedInScope, deps: Deps): void {
  const config = {
    audits: 'defibrillateur_sync.create',
    refusals: ['sync_in_progress', 'conflict'],
    confirms: ({ query }: { query: unknown }) => (query as { accept_fall?: boolean }).accept_fall === true,
  }

  scope.post(
    '/admin/communes/:id/defibrillateurs/sync',
    {
      config,
      schema: {
        operationId: 'syncCommuneDefibrillateurs',
        summary: 'Bring the defibrillators of a commune up to date with the registry',
        params: ByCommune,
        querystring: SyncQuery,
        response: { 202: record(Started) },
      },
    },
    async ({ params, query, caller }, reply) => {
      const asked = { communeId: params.id, acceptFall: query.accept_fall ?? false }
      return reply.code(202).send({ data: await requestSync(deps, caller, asked) })
    },
  )

  scope.post(
    '/admin/defibrillateurs-france/sync',
    {
      config,
      schema: {
        operationId: 'syncDefibrillateurs',
        summary: 'Bring all defibrillators up to date with the registry',
        querystring: SyncQuery,
        response: { 202: record(Started) },
      },
    },
    async ({ query, caller }, reply) => {
      const asked = { communeId: null, acceptFall: query.accept_fall ?? false }
      return reply.code(202).send({ data: await requestSync(deps, caller, asked) })
    },
  )

  scope.get(
    '/admin/defibrillateurs-france/syncs',
    {
      schema: {
        operationId: 'listDefibrillateurSyncs',
        summary: 'List the syncs of France, or of a commune, latest first, with their results',
        querystring: SyncsQuery,
        response: { 200: ListPage(Sync) },
      },
    },
    async ({ query }) => listPage(deps.lists, syncsOf(query.commune_id ?? null), query),
  )
}
