import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ReadFailed } from '../readers/read-failed.ts'
import { ById, Run } from '../schema.ts'
import { askForRun } from './queue.ts'
import { readingOf } from './reading.ts'
import { tryImport } from './rules.ts'
import { DryRun, RunQuery } from './schema.ts'

/** Timeout of a dry run: the client waits for the response. */
const dryRunMs = 120_000

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
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(new ReadFailed('It takes too long to read.')), dryRunMs)
      try {
        const tools = { ...reading, signal: late.signal }
        return reply.code(200).send({ data: await tryImport({ db, jobs, log }, caller, params.id, tools) })
      } finally {
        clearTimeout(timer)
      }
    },
  )
}
