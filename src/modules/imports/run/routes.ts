import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ById, Run } from '../schema.ts'
import { askForRun } from './queue.ts'
import { dryRunMs, readingOf, withinTime } from './reading.ts'
import { tryImport } from './rules.ts'
import { DryRun, RunQuery } from './schema.ts'

export function runRoutes(scope: SignedInScope, { db, jobs, log, config }: Deps): void {
  const reading = readingOf(config)

  scope.post(
    '/admin/import-sources/:id/run',
    {
      config: { audits: 'import_run.create', refusals: ['conflict', 'import_in_progress'] },
      schema: {
        operationId: 'runImportSource',
        summary: 'Import now, in the background; or with `dry_run=true` show what an import would do',
        params: ById,
        querystring: RunQuery,
        response: { 200: record(DryRun), 202: record(Run) },
      },
    },
    async ({ params, query, caller }, reply) => {
      if (query.dry_run !== true)
        return reply.code(202).send({ data: await askForRun({ db, jobs }, caller, params.id) })
      const data = await withinTime(dryRunMs, (signal) =>
        tryImport({ db, jobs, log }, caller, params.id, { ...reading, signal }),
      )
      return reply.code(200).send({ data })
    },
  )
}
