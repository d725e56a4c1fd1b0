import { withCanOf } from '../../../platform/access/rules.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../../platform/http/listing/list-page.ts'
import type { Deps } from '../../../platform/module.ts'
import { runActions } from '../schema.ts'
import { allRunsList, requireRun, runItems } from './queries.ts'
import { AllRunsQuery, ByRunId, ListedRun, RunItemsQuery, StoredItem } from './schema.ts'

const withCan = withCanOf(runActions)

export function allRunsRoutes(scope: SignedInScope, { lists }: Deps): void {
  scope.get(
    '/admin/import-runs',
    {
      schema: {
        operationId: 'listAllImportRuns',
        summary: 'Runs of all import sources, dry ones too, newest first',
        querystring: AllRunsQuery,
        response: { 200: ListPage(ListedRun) },
      },
    },
    async ({ query }) => listPage(lists, allRunsList(query), query, (rows) => rows.map(withCan)),
  )

  scope.get(
    '/admin/import-runs/:id/items',
    {
      schema: {
        operationId: 'listImportRunItems',
        summary: 'What the items of a run became: the first 1 000 that did not simply stay the same',
        params: ByRunId,
        querystring: RunItemsQuery,
        response: { 200: ListPage(StoredItem) },
      },
    },
    async ({ params, query }) => {
      const [answer] = await Promise.all([
        listPage(lists, runItems, { ...query, run_id: params.id }),
        requireRun(lists, params.id),
      ])
      return answer
    },
  )
}
