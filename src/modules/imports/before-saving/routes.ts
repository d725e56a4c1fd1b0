import type { SignedInScope } from '../../../platform/http/http-server.ts'
import { record } from '../../../platform/http/validation/schemas.ts'
import type { Deps } from '../../../platform/module.ts'
import { dryRunMs, readingOf, withinTime } from '../run/reading.ts'
import { SourceCreate } from '../sources/schema.ts'
import { inspectSource, tryUnsaved } from './rules.ts'
import { InspectBody, Inspection, UnsavedDryRun } from './schema.ts'

/** Timeout of an inspection: the client waits for the response. */
const inspectionMs = 40_000

export function beforeSavingRoutes(scope: SignedInScope, { db, log, clock, config }: Deps): void {
  const reading = readingOf(config)

  scope.post(
    '/admin/import-sources/inspect',
    {
      schema: {
        operationId: 'inspectImportSource',
        summary:
          'Inspect a URL: detect its type and return ten sample items and a proposed mapping. Nothing is saved',
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
