import type { Caller } from '../../../platform/access/caller.ts'
import { append } from '../../../platform/change.ts'
import { sharedSecret } from '../../../platform/config/config.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { notFound, scopeViolation } from '../../../platform/errors.ts'
import { uuidv7 } from '../../../platform/formats/uuid.ts'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { optionalBody, record } from '../../../platform/http/validation/schemas.ts'
import { onlyOnce } from '../../../platform/idempotency.ts'
import type { Deps } from '../../../platform/module.ts'
import { todayInParis } from '../../../platform/time/paris-time.ts'
import { findVisible } from '../queries.ts'
import { publication } from '../record.ts'
import { ById } from '../schema.ts'
import { isInScope } from '../visibility.ts'
import { insertReport } from './queries.ts'
import { type Reporter, reporterKeys } from './reporter.ts'
import { Receipt, ReportBody } from './schema.ts'

export function reportRoutes(scope: HttpServer, { db, config, clock }: Deps): void {
  const reporterOf = reporterKeys(sharedSecret(config))

  scope.post(
    '/publications/:id/report',
    {
      config: {
        audits: 'publication.report',
        limit: 'report',
        refusals: ['unauthenticated'],
        location: '/admin/publications/:id/reports',
      },
      schema: {
        operationId: 'reportPublication',
        summary: 'Report a publication to those who moderate; once a day and caller',
        params: ById,
        body: optionalBody(ReportBody),
        response: { 201: record(Receipt) },
      },
    },
    async ({ params, body, caller, ip }, reply) => {
      const reporter = reporterOf(caller, ip, todayInParis(clock()))
      const id = await reportPublication(db, caller, params.id, reporter, body)
      return reply.code(201).send({ data: { id, status: 'received' as const } })
    },
  )
}

/** Records a report: one per caller and day until a decision. */
export function reportPublication(
  db: Database,
  caller: Caller,
  id: string,
  reporter: Reporter,
  { reason, category, message }: ReportBody = {},
): Promise<string> {
  return db.transaction().execute((tx) =>
    onlyOnce(tx, caller, async () => {
      await requireMayReport(tx, caller, id)
      const content = { category: category ?? null, reason: reason ?? null, message: message ?? null }
      const values = { id: uuidv7(), publication_id: id, ...reporter, ...content }
      const reportId = await insertReport(tx, values)
      if (reportId !== values.id) return reportId
      const change = { kind: publication, entityId: id, after: { report_id: reportId, ...content } }
      await append(tx, caller, { action: 'publication.report', ...change })
      return reportId
    }),
  )
}

/** Requires a publication that is public and that the application shows; anybody may report it. */
async function requireMayReport(tx: Database, caller: Caller, id: string): Promise<void> {
  const found = await findVisible(tx, id)
  if (found === undefined) throw notFound()
  if (!isInScope(caller, found)) throw scopeViolation()
}
