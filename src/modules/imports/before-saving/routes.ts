import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { ReadFailed } from '../readers/read-failed.ts'
import { readingOf } from '../run/reading.ts'
import { SourceCreate } from '../sources/schema.ts'
import { inspectSource, tryUnsaved } from './rules.ts'
import { InspectBody, Inspection, UnsavedDryRun } from './schema.ts'

/** Timeouts: the client waits for the response. */
const inspectionMs = 40_000
const dryRunMs = 120_000

export function beforeSavingRoutes(scope: SignedInScope, { db, log, clock, config }: Deps): void {
  const reading = readingOf(config)

  scope.post(
    '/admin/import-sources/inspect',
    {
      schema: {
        operationId: 'inspectImportSource',
        summary: 'Find out what an address is: its type, ten items and a mapping. Nothing is saved',
        body: InspectBody,
        response: { 200: record(Inspection) },
      },
    },
    async ({ body }) =>
      withinTime(inspectionMs, async (signal) => ({
        data: await inspectSource({ log, clock }, body.url, { ...reading, signal }),
      })),
  )

  scope.post(
    '/admin/import-sources/dry-run',
    {
      schema: {
        operationId: 'tryImportSource',
        summary: 'Show what an import of a source would do before the source is saved',
        body: SourceCreate,
        response: { 200: record(UnsavedDryRun) },
      },
    },
    async ({ body }) =>
      withinTime(dryRunMs, async (signal) => ({
        data: await tryUnsaved({ db, log, clock }, body, { ...reading, signal }),
      })),
  )
}

async function withinTime<T>(timeoutMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new ReadFailed('It takes too long to read.')), timeoutMs)
  try {
    return await work(late.signal)
  } finally {
    clearTimeout(timer)
  }
}
