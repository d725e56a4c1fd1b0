import type { HttpServer } from '../../../platform/http/http-server.ts'
import type { Deps } from '../../../platform/module.ts'
import { readChanges } from './rules.ts'
import { ChangesQuery, PublicationChanges } from './schema.ts'

export function changesRoutes(scope: HttpServer, { lists }: Deps): void {
  scope.get(
    '/publications/changes',
    {
      config: { uncached: 'each caller asks from a moment of its own', namesChanges: true },
      schema: {
        operationId: 'listPublicationChanges',
        summary:
          'Publications that appeared, changed or disappeared, oldest first, for callers that keep a copy',
        querystring: ChangesQuery,
        response: { 200: PublicationChanges },
      },
    },
    async ({ query, caller }) =>
      // A transaction reads on the primary server: a replica does not know which transactions are under way.
      lists.transaction().execute((tx) => readChanges(tx, caller, query)),
  )
}
