import { invalid, notFound } from '../../../platform/errors.ts'
import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { ListPage, listPage } from '../../../platform/http/listing/list-page.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { isRealDay } from '../../../platform/time/days.ts'
import { ById, Run } from '../schema.ts'
import { getRun, listRunsOfDay, requireSource, runsList } from './queries.ts'
import { ByDay, ByRun, DayLog, RunsQuery } from './schema.ts'

export function historyRoutes(scope: SignedInScope, { reads, lists }: Deps): void {
  scope.get(
    '/admin/import-sources/:id/runs',
    {
      schema: {
        operationId: 'listImportRuns',
        summary: 'Runs of an import source, dry ones too, newest first',
        params: ById,
        querystring: RunsQuery,
        response: { 200: ListPage(Run) },
      },
    },
    async ({ params, query }) => {
      const [answer] = await Promise.all([
        listPage(lists, runsList, { ...query, source_id: params.id }),
        requireSource(lists, params.id),
      ])
      return answer
    },
  )

  scope.get(
    '/admin/import-sources/:id/runs/:runId',
    {
      schema: {
        operationId: 'getImportRun',
        summary: 'Read a run of an import source',
        params: ByRun,
        response: { 200: record(Run) },
      },
    },
    async ({ params: { id, runId } }) => ({ data: await getRun(reads, id, runId) }),
  )

  scope.get(
    '/admin/import-sources/:id/logs/:date',
    {
      config: { refusals: ['validation_failed'] },
      schema: {
        operationId: 'readImportLog',
        summary: 'Read what the runs of one day in Paris did, item by item',
        params: ByDay,
        response: { 200: record(DayLog) },
      },
    },
    async ({ params: { id, date } }) => {
      await requireSource(reads, id)
      if (!isRealDay(date)) throw invalid('date', noDay)
      const runs = await listRunsOfDay(reads, id, date)
      if (runs.length === 0) throw notFound()
      return { data: { date, runs } }
    },
  )
}

const noDay = { en: 'must be a day, as in 2026-11-20', fr: 'doit être un jour, comme 2026-11-20' }
